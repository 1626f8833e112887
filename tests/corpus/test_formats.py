import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.corpus import conll, jsonl
from silverspan.corpus.reading import FORMATS, expand, read_records
from silverspan.corpus.record import Record
from silverspan.errors import InputError, UnknownNameError


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        content = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


def texts(path, **settings):
    return [record.text for record in read_records(path, **settings)]


# Text


def test_a_text_file_is_one_document_named_after_it(write):
    (record,) = read_records(write("news-7.txt.gz", "One.\r\n\r\nTwo.\r\n"))
    assert (record.id, record.text) == ("news-7", "One.\n\nTwo.\n")


def test_an_empty_text_file_is_an_empty_document(write):
    assert texts(write("a.txt", "")) == [""]


def test_each_line_that_is_not_blank_is_a_document(write):
    records = list(read_records(write("a.txt", "\ufeffone\r\n \n\ntwo"), "lines"))
    assert [(record.id, record.text) for record in records] == [("0", "one"), ("1", "two")]


def test_strange_characters_pass_unchanged(write):
    strange = "a\x00b 😀\u200d👩 \u202eשלום\u2028 é e\u0301"  # noqa: RUF001
    assert texts(write("a.txt", strange)) == [strange]
    assert texts(write("b.txt", strange), format="lines") == [strange]


# JSON lines


def test_gold_in_characters_is_read_under_every_common_name(write):
    for key in ("gold", "entities", "spans", "labels", "label"):
        for span in ('[3, 7, "LOC"]', '{"start": 3, "end": 7, "label": "LOC", "x": 1}'):
            path = write("a.jsonl", f'{{"text": "In Oslo.", "{key}": [{span}]}}')
            (record,) = read_records(path)
            assert record.gold == ((3, 7, "LOC"),)
            assert record.gold_unit == "characters"


def test_no_gold_is_not_empty_gold(write):
    path = write("a.jsonl", '{"text": "a"}\n{"text": "b", "gold": []}\n{"text":"c","label":"spam"}')
    assert [record.gold for record in read_records(path)] == [None, (), None]


def test_tokens_that_are_objects_give_way_to_the_text(write):
    path = write("a.jsonl", '{"text": "a b", "tokens": [{"text": "a"}, {"text": "b"}]}')
    (record,) = read_records(path)
    assert (record.text, record.tokens) == ("a b", None)


def test_a_record_of_a_votes_file_is_a_document(write):
    path = write(
        "a.jsonl",
        '{"id":3,"doc":"d","tokens":["In","Oslo"],"spaces":"10","sentence_starts":[0],'
        '"gold":[[1,2,"LOC"]],"weak":{"f":[]}}',
    )
    (record,) = read_records(path)
    assert record == Record(
        id="3",
        number=3,
        tokens=("In", "Oslo"),
        spaces=(True, False),
        sentence_starts=(0,),
        gold=((1, 2, "LOC"),),
        group="d",
        path=str(path),
        line=1,
    )


WORDS = st.text(st.characters(exclude_categories=["Cs", "Zs", "Cc"]), min_size=1, max_size=4)


@st.composite
def tokenised(draw):
    tokens = tuple(draw(st.lists(WORDS, min_size=1, max_size=6)))
    cuts = sorted(draw(st.sets(st.integers(0, len(tokens)), max_size=4)))
    gold = tuple(
        (start, end, draw(st.sampled_from(["PER", "LOC"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    )
    starts = tuple(sorted({0} | draw(st.sets(st.integers(0, len(tokens) - 1), max_size=2))))
    # A span across the end of a sentence cannot be told in columns.
    gold = tuple(g for g in gold if not any(g[0] < start < g[1] for start in starts))
    return Record(tokens=tokens, sentence_starts=starts, gold=gold)


def content(records):
    return [(record.tokens, record.sentence_starts, record.gold) for record in records]


@given(st.lists(tokenised(), max_size=4))
def test_what_conll_writes_it_reads(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("conll") / "a.conll"
    conll.write(records, path)
    assert content(read_records(path)) == content(records)


@given(st.lists(tokenised(), max_size=4))
def test_what_jsonl_writes_it_reads(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl.gz"
    named = [
        Record(id=f"n{i}", tokens=r.tokens, sentence_starts=r.sentence_starts, gold=r.gold)
        for i, r in enumerate(records)
    ]
    jsonl.write(named, path)
    assert content(read_records(path)) == content(named)


# CoNLL


@pytest.mark.parametrize(
    "tags",
    ["B-PER I-PER B-PER O", "I-PER I-PER B-PER O", "B-PER L-PER U-PER O", "I-PER E-PER S-PER O"],
)
def test_every_tag_scheme_is_read(write, tags):
    lines = "\n".join(f"w{i} x {tag}" for i, tag in enumerate(tags.split()))
    (record,) = read_records(write("a.conll", lines))
    assert record.gold == ((0, 2, "PER"), (2, 3, "PER"))


def test_docstart_begins_documents_and_blank_lines_sentences(write):
    path = write("a.conll", "-DOCSTART- O\n\na O\n\nb O\n\n\n-DOCSTART- -X- O\n-DOCSTART- O\n\nc O")
    assert content(read_records(path)) == [
        (("a", "b"), (0, 1), ()),
        ((), (), ()),
        (("c",), (0,), ()),
    ]


def test_without_docstart_every_sentence_is_a_document(write):
    path = write("a.conll", "a\tB-X\r\n\r\n\r\nb\tI-X\r\n")
    assert content(read_records(path)) == [
        (("a",), (0,), ((0, 1, "X"),)),
        (("b",), (0,), ((0, 1, "X"),)),
    ]


def test_one_column_has_no_gold(write):
    assert content(read_records(write("a.conll", "a\nb\n"))) == [(("a", "b"), (0,), None)]


def test_an_entity_ends_with_its_sentence(write):
    (record,) = read_records(write("a.conll", "-DOCSTART- O\n\na B-X\n\nb I-X\n"))
    assert record.gold == ((0, 1, "X"), (1, 2, "X"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a O\nb PER\n", r"a\.conll:2: \"PER\" is no tag"),
        ("a O\nb\n", r"a\.conll:2: the token 'b' has no tag"),
        ("a B-\n", r"a\.conll:1: \"B-\" is no tag"),
    ],
)
def test_a_line_without_a_proper_tag_is_named(write, text, message):
    with pytest.raises(InputError, match=message):
        list(read_records(write("a.conll", text)))


@pytest.mark.parametrize(
    "record",
    [
        Record(text="a"),
        Record(tokens=("a b",)),
        Record(tokens=("-DOCSTART-",)),
        Record(tokens=("a",), gold=((0, 1, "A B"),)),
        Record(tokens=("a", "b"), gold=((0, 2, "A"), (1, 2, "B"))),
    ],
)
def test_what_columns_cannot_hold_is_not_written(tmp_path, record):
    with pytest.raises(InputError):
        conll.write([record], tmp_path / "a.conll")
    assert not (tmp_path / "a.conll").exists()


# CSV


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_with_its_own_separator(write, separator):
    rows = [["ID", "Text", "x"], ["n1", '"two\nlines, ""quoted"";"', "1"], ["n2", "one", "2"]]
    path = write("a.csv", "\r\n".join(separator.join(row) for row in rows))
    found = [(record.id, record.text, record.line) for record in read_records(path)]
    assert found == [("n1", 'two\nlines, "quoted";', 2), ("n2", "one", 4)]


def test_a_long_cell_is_read_whole(write):
    assert texts(write("a.csv", "text\n" + "a" * 500_000)) == ["a" * 500_000]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,x\n", 'no column "text"; the columns are: name, x'),
        ("text,x\na,1\nb\n", r"a\.csv:3: 1 columns where the header has 2"),
        ('text\n"open\nnever closed', r"a\.csv:2: unexpected end of data"),
    ],
)
def test_a_table_that_is_none_is_an_error(write, text, message):
    with pytest.raises(InputError, match=message):
        list(read_records(write("a.csv", text)))


# Which files, which ids


def test_a_pattern_means_its_files_sorted(write, tmp_path):
    for name in ("b.txt", "a.txt"):
        write(name, name)
    assert texts(str(tmp_path / "*.txt")) == ["a.txt", "b.txt"]
    with pytest.raises(InputError, match="no file fits"):
        expand(str(tmp_path / "*.conll"))
    with pytest.raises(InputError, match="no files"):
        expand([])


def test_a_name_with_brackets_is_a_name_if_there_is_such_a_file(write):
    assert texts(write("a[1].txt", "x")) == ["x"]


def test_documents_without_id_are_numbered_through_all_files(write):
    paths = [write("a.jsonl", '{"text": "a"}\n{"text": "b"}'), write("b.jsonl", '{"text": "c"}')]
    assert [record.id for record in read_records(paths)] == ["0", "1", "2"]


def test_an_id_that_stands_twice_names_both_places(write):
    path = write("a.jsonl", '{"id": 1, "text": "a"}\n{"id": "1", "text": "b"}')
    with pytest.raises(InputError, match=r"a\.jsonl:2: .* '1' stands also in .*a\.jsonl:1"):
        list(read_records(path))


def test_an_unknown_format_lists_the_known_ones(write):
    with pytest.raises(UnknownNameError, match="did you mean 'jsonl'"):
        list(read_records(write("a.txt", ""), "jsonll"))
    with pytest.raises(InputError, match=r"'\.doc' means no known format; name one of: text"):
        list(read_records(write("a.doc", "")))


def test_skipping_goes_on_after_every_bad_record_and_tells_of_it(write, caplog):
    bad = [
        write("a.jsonl", '{"text": "a"}\n{"text": 1}\n{\n[]\n{"text": "b"}'),
        write("b.csv", "text,x\nc,1\nbad\nd,1"),
        write("c.conll", "e O\n\nf X\n\ng O\n"),
        write("d.txt", b"\xff"),
        write("e.txt", "h"),
    ]
    heard = []
    records = list(read_records(bad, on_error="skip", problem=heard.append))
    assert [record.text or record.tokens[0] for record in records] == list("abcdegh")
    assert [error.line for error in heard] == [2, 3, 4, 3, 3, 1]
    assert "6 places could not be read and were skipped" in caplog.text


def test_every_format_reads_an_empty_file(write):
    for name in set(FORMATS) - {"docbin"}:
        assert len(list(read_records(write("empty", ""), name))) == (name == "text")


def test_a_digest_depends_on_content_and_not_on_place():
    one = Record(id="a", tokens=("b",), path="x", line=1)
    assert one.digest() == Record(id="a", tokens=("b",), path="y", line=2).digest()
    assert one.digest() != Record(id="a", tokens=("b",), gold=()).digest()


# Other people's corpora

DATA = Path(os.environ.get("SILVERSPAN_DATA", "../shared/data")) / "ner"
COUNTS = {
    "conll2003_valid": (216, 3250, 51362, 5942),
    "btc_f": (2000, 2000, 35426, 4376),
    "sec_fin3_test": (3, 303, 13246, 318),
    "wnut17_dev": (1009, 1009, 15733, 836),
}


@pytest.mark.skipif(not DATA.exists(), reason="needs the corpora that SILVERSPAN_DATA points to")
@pytest.mark.parametrize("name", COUNTS)
def test_published_corpora_have_their_published_counts(name):
    records = list(read_records(DATA / f"{name}.conll.gz"))
    found = (
        len(records),
        sum(len(record.sentence_starts) for record in records),
        sum(len(record.tokens) for record in records),
        sum(len(record.gold) for record in records),
    )
    assert found == COUNTS[name]


@pytest.mark.parametrize("header", ["id,te\rxt", "\r", "\rtext"])
def test_a_header_with_a_carriage_return_inside_is_refused(tmp_path, header):
    (tmp_path / "a.csv").write_bytes(header.encode() + b"\n1,a\n")
    with pytest.raises(InputError, match=r"a\.csv:1: "):
        list(read_records(tmp_path / "a.csv"))
