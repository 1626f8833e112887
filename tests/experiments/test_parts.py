"""The parts that both experiments share, each alone."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from experiments.paper import prepare, published
from experiments.paper.adaptation import mean, source_documents
from experiments.paper.kept import Kept, Made, NotRunError
from experiments.paper.rows import Row, make, rows_of
from experiments.paper.scores import without_leading_words
from experiments.paper.tables import main_table
from silverspan.corpus.document import gold_spans
from silverspan.corpus.reading import read_records
from silverspan.errors import AggregationError
from silverspan.training.annotations import posterior_of


def posterior(chance):
    return posterior_of([np.array([[1 - chance, 0, 0, 0, chance]], np.float32)], ("LOC",), "paths")


def test_a_row_is_fresh_only_for_what_it_was_made_from_and_only_when_it_is_whole(tmp_path):
    kept = Kept(tmp_path / "rows")
    assert not kept.is_fresh("mv", "a")
    kept.write(Made(row="mv", made_from="a", seconds=1.0), posterior(0.75))
    assert kept.is_fresh("mv", "a")
    assert not kept.is_fresh("mv", "b")
    assert kept.posterior("mv").spans.of(0)[0][:3] == (0, 1, "LOC")
    (tmp_path / "rows/mv.npz").unlink()
    assert not kept.is_fresh("mv", "a")
    kept.write(Made(row="mv", made_from="a", seconds=1.0), posterior(0.75))
    (tmp_path / "rows/mv.json").write_text('{"row": "mv"')
    assert not kept.is_fresh("mv", "a")


def test_a_row_that_cannot_be_made_says_why_and_is_not_kept(tmp_path):
    def fail(_):
        raise AggregationError("too few functions\nmore of it")

    row = Row(name="snorkel", title="Snorkel", inputs=lambda _: "a", make=fail)
    material = SimpleNamespace(kept=Kept(tmp_path))
    with pytest.raises(NotRunError, match=r"^too few functions$"):
        make(row, material)
    assert material.kept.find("snorkel") is None


def test_an_ensemble_is_the_mean_of_its_members_also_where_one_is_sure_of_nothing():
    doc = Doc(spacy.blank("en").vocab, words=["Oslo"])
    found = mean([posterior(0.8), posterior(0.0)], [doc])
    np.testing.assert_allclose(found.probabilities(0), [[0.6, 0.4]], atol=1e-6)


def test_sources_are_cleaned_by_their_name_and_drawn_the_same_every_time(data):
    files = {"BTC": [data / "ner/btc_a.conll"], "wnut17": [data / "ner/wnut17_train.conll"]}
    vocab = spacy.blank("en").vocab
    every = source_documents(files, vocab)
    # Tweets that stand several times in the Broad Twitter Corpus count once.
    assert len(every) == 2 + 4
    assert gold_spans(every[0]) == [(1, 2, "PERSON"), (3, 4, "LOC")]
    drawn = [doc.text for doc in source_documents(files, vocab, most=3)]
    assert drawn == [doc.text for doc in source_documents(files, vocab, most=3)]
    assert len(drawn) == 3


def test_one_leading_word_of_a_date_is_overlooked_and_never_the_whole_span():
    rules = {"DATE": ["in", "the"]}
    words = ["in", "the", "autumn", "the"]
    spans = [(0, 3, "DATE", 0.5), (0, 3, "ORG", 0.5), (3, 4, "DATE", 1.0)]
    found = without_leading_words(spans, words, rules)
    assert found == [(1, 3, "DATE", 0.5), (0, 3, "ORG", 0.5), (3, 4, "DATE", 1.0)]


def test_the_papers_numbers_are_of_rows_that_exist_and_agree_with_one_another():
    rows = rows_of({"rows": {}, "labels": ["LOC"]})
    tables = [published.CONLL2003, published.REUTERS_BLOOMBERG]
    tables += published.CONLL2003_LABELS.values()
    for table in tables:
        assert set(table) <= set(rows)
        for numbers in table.values():
            for precision, recall, f1 in (numbers[:3], numbers[-3:]):
                # The paper doubles a rounded half, and prints some with more error.
                assert abs(2 * precision * recall / (precision + recall) - f1) < 0.004


def test_a_row_that_was_not_run_says_why_beside_the_papers_number():
    text = main_table({"hmm": "HMM"}, {}, {"hmm": "no gold"}, published.CONLL2003)
    assert "| HMM | not run: no gold (0.719) |" in text
    assert "(0.716)" in text


def test_a_gazetteer_is_compiled_once_and_again_when_it_is_damaged(data, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "silverspan.toml").write_text("[project]\n")
    work = tmp_path / "work"
    work.mkdir()
    lists = {"gazetteers": {"geo": ["gazetteers/geonames.json*"], "wiki": ["none.json"]}}
    prepare.project(home, work, lists, data)
    text = (work / "silverspan.toml").read_text()
    assert 'geo = "gazetteers/geo.gaz"' in text
    assert "wiki" not in text
    made = work / "gazetteers/geo.gaz"
    whole, stamp = made.read_bytes(), made.stat().st_mtime_ns
    prepare.project(home, work, lists, data)
    assert made.stat().st_mtime_ns == stamp
    made.write_bytes(whole[: len(whole) // 2])
    prepare.project(home, work, lists, data)
    assert made.read_bytes() == whole


def test_sentences_of_one_document_are_put_together_and_those_without_gold_are_text(tmp_path):
    gold = tmp_path / "gold.jsonl"
    lines = [
        {"doc": "a", "tokens": ["In", "Oslo"], "gold": [[1, 2, "LOC"]]},
        {"doc": "a", "tokens": ["Bo"], "gold": [[0, 1, "PERSON"]]},
        {"doc": "b", "text": "Rome.", "gold": [[0, 4, "LOC"]]},
        {"doc": "b", "text": "Paris.", "gold": [[0, 5, "LOC"]]},
        {"text": "Nobody looked."},
    ]
    gold.write_text("".join(json.dumps(line) + "\n" for line in lines))
    prepare.write_sentences(gold, None, tmp_path)
    found = list(read_records(tmp_path / "corpus/corpus.jsonl"))
    assert [record.id for record in found] == ["gold-0", "gold-1", "text-0"]
    assert found[0].tokens == ("In", "Oslo", "Bo")
    assert found[0].sentence_starts == (0, 2)
    assert found[0].gold == ((1, 2, "LOC"), (2, 3, "PERSON"))
    assert found[1].text == "Rome.\nParis."
    assert found[1].gold == ((0, 4, "LOC"), (6, 11, "LOC"))
    assert found[2].gold is None
