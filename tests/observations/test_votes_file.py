import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.corpus.record import Record
from silverspan.errors import InputError, LabelError, UnknownNameError
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes
from silverspan.observations.votes_file import VotesFile, read_votes, write_votes

DATA = Path(os.environ.get("SILVERSPAN_DATA", "../shared/data")) / "weak"


@pytest.fixture
def write(tmp_path):
    def write(*lines, name="a.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write


ONE = '{"id":1,"doc":"d","tokens":["In","Oslo"],"gold":[[1,2,"LOC"]],"weak":{"b":[[1,2,"GPE"]]}}'
TWO = (
    '{"id":"x","tokens":["Anna"],"spaces":"0","sentence_starts":[0],"gold":[],'
    '"weak":{"a":[[0,1,"PER",0.75],[0,1,"ORG",0.25]]},"asked":["a"]}'
)
THREE = '{"id":2,"tokens":[],"weak":{}}'


def test_votes_and_documents_are_read(write):
    file = read_votes(write(ONE, TWO, THREE), features=False)
    assert file.ids == (1, "x", 2)
    assert file.groups == ("d", None, None)
    assert file.gold == (((1, 2, "LOC"),), (), None)
    assert file.tokens == (("In", "Oslo"), ("Anna",), ())
    votes = file.votes
    assert votes.functions == ("a", "b")
    assert votes.documents == ("1", "x", "2")
    assert votes.space.outputs == ("GPE", "ORG", "PER")
    assert votes.asked.tolist() == [[True, True], [True, False], [True, True]]
    assert votes.probability.tolist() == [1.0, 0.25, 0.75]


def test_token_features_are_made_unless_told_otherwise(write):
    path = write(ONE, TWO)
    assert len(read_votes(path).votes.features.ids) == 3
    assert read_votes(path, features=False).votes.features is None


def test_labels_are_mapped_and_those_without_a_place_are_counted(write, caplog):
    file = read_votes(
        write(ONE, TWO), labels=["LOC", "PER"], mapping={"GPE": "LOC"}, features=False
    )
    assert file.votes.space.outputs == ("LOC", "PER")
    assert file.left_out == {"ORG": 1}
    assert "left out: ORG (1)" in caplog.text
    mapped = read_votes(write(ONE, TWO), mapping={"GPE": "LOC"}, features=False)
    assert mapped.votes.space.outputs == ("LOC", "ORG", "PER")
    with pytest.raises(LabelError, match="no output label"):
        read_votes(write(ONE), labels=["PER"], mapping={"GPE": "LOC"})


def test_functions_are_chosen_by_name_or_pattern(write):
    path = write(ONE, TWO)
    assert read_votes(path, functions=["b"], features=False).votes.functions == ("b",)
    assert read_votes(path, without=["a*"], features=False).votes.functions == ("b",)
    with pytest.raises(UnknownNameError):
        read_votes(path, functions=["c"], features=False)


def test_files_follow_one_another_and_may_use_the_same_ids(write):
    paths = [write(ONE, name="a.jsonl"), write(ONE, name="b.jsonl")]
    assert read_votes(paths, features=False).votes.document.tolist() == [0, 1]


@pytest.mark.parametrize("name", ["b.jsonl", "b.jsonl.gz", "b.parquet"])
def test_what_is_written_is_read_again(write, tmp_path, name):
    file = read_votes(write(ONE, TWO, THREE), features=False)
    write_votes(file, tmp_path / name)
    again = read_votes(tmp_path / name, features=False)
    write_votes(again, tmp_path / "c.jsonl")
    assert (tmp_path / "c.jsonl").read_text().splitlines() == [
        ONE,
        TWO.replace('[0,1,"PER",0.75],[0,1,"ORG",0.25]', '[0,1,"ORG",0.25],[0,1,"PER",0.75]'),
        THREE,
    ]


def test_silent_functions_are_kept(write, tmp_path):
    path = write('{"id":1,"tokens":["a"],"weak":{"f":[]}}', '{"id":2,"tokens":["a"],"weak":{}}')
    file = read_votes(path, features=False)
    assert file.votes.functions == ("f",)
    write_votes(file, tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_text() == path.read_text()


PROBABILITIES = st.floats(0, 1, width=32)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["PER", "LOC"]), PROBABILITIES)))
def test_writing_twice_gives_the_same_bytes(tmp_path_factory, spans):

    space = LabelSpace(outputs=("LOC", "PER"))
    folder = tmp_path_factory.mktemp("votes")
    for suffix in (".jsonl", ".parquet"):
        said = [{"f": [(start, start + 1, label, p) for start, label, p in spans]}]
        votes = Votes.build(said, lengths=[3], space=space, functions={"f": ["PER", "LOC"]})
        file = VotesFile(votes=votes, records=(Record(id="a", tokens=("x", "y", "z")),))
        first, second = folder / f"1{suffix}", folder / f"2{suffix}"
        write_votes(file, first)
        again = read_votes(first, space=space, features=False)
        assert np.allclose(again.votes.probability, votes.probability, atol=1e-6)
        write_votes(again, second)
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id":1,"tokens":["a"]}', 'there is no "weak"'),
        ('{"id":1,"weak":{}}', 'there is no "tokens"'),
        ('{"id":1,"text":"a","weak":{}}', 'there is no "tokens"'),
        ('{"id":1,"tokens":["a"],"weak":[]}', '"weak" should be an object'),
        ('{"id":1,"tokens":["a"],"weak":{"f":{}}}', '"weak" of "f" should be a list'),
        ('{"id":1,"tokens":["a"],"weak":{"f":[[0,2,"X"]]}}', "the document has 1 tokens"),
        ('{"id":1,"tokens":["a"],"weak":{"f":[[0,1,"X",1e400]]}}', "a probability should be"),
        ('{"id":1,"tokens":["a"],"weak":{"f":[[0,1,"X",-0.1]]}}', "a probability should be"),
        ('{"id":1,"tokens":["a"],"weak":{"":[]}}', "without a name"),
        ('{"id":1,"tokens":["a"],"weak":{},"asked":[1]}', '"asked" should hold names'),
        ('{"id":1,"tokens":["a"],"weak":{"f":[[0,1,"X"]]},"asked":[]}', 'is not in "asked"'),
        ('{"id":1,"tokens":["a"],"weak":{"f":[],"f":[]}}', '"f" stands twice'),
        ('{"id":1.5,"tokens":["a"],"weak":{}}', '"id" should be'),
        (ONE, "'1' stands also in line 1"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(write, line, message):
    with pytest.raises(InputError, match=rf"a\.jsonl:2: .*{message}"):
        read_votes(write(ONE, line))


def test_a_file_that_is_no_parquet_is_an_error(write, tmp_path):
    with pytest.raises(InputError, match="is no Parquet file of votes"):
        read_votes(write(ONE, name="a.parquet"))
    with pytest.raises(InputError, match="no such file"):
        read_votes(tmp_path / "no.parquet")


@pytest.mark.skipif(not DATA.exists(), reason="needs the votes that SILVERSPAN_DATA points to")
@pytest.mark.parametrize("name", ["conll2003_valid", "conll2003_mturk_crowd", "laptopreview_test"])
def test_other_peoples_votes_come_through_unchanged(tmp_path, name):
    path = DATA / f"{name}.jsonl.gz"
    file = read_votes(path, features=False)
    write_votes(file, tmp_path / "b.jsonl")
    with gzip.open(path, "rt") as original:
        before = [json.loads(line) for line in original]
    after = [json.loads(line) for line in (tmp_path / "b.jsonl").read_text().splitlines()]
    for old, new in zip(before, after, strict=True):
        for key in ("id", "doc", "tokens", "gold"):
            assert old.get(key) == new.get(key)
        assert {k: sorted(v) for k, v in old["weak"].items() if v} == {
            k: sorted(v) for k, v in new["weak"].items() if v
        }
        assert set(old.get("asked", file.votes.functions)) == set(
            new.get("asked", file.votes.functions)
        )
