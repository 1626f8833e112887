"""Decisions about documents: what they amount to, and the gold file that keeps them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.aggregation.predictions import to_prediction
from silverspan.corpus.json_lines import read_objects
from silverspan.corpus.reading import read_records
from silverspan.errors import InputError
from silverspan.evaluation.files import evaluate_files
from silverspan.observations.jsonl import read as read_votes
from silverspan.view.gold_file import GoldFile, Words
from silverspan.view.review import VERBS, Action, Review, open_spans, value
from tests.pipeline.conftest import SETTINGS, write_project

WORDS = Words(id="d0", tokens=("Ms", "Berg", "left", "Oslo"), spaces=(True, True, True, False))
OTHER = Words(id=7, tokens=("Rome",), spaces=(False,))
BERG, OSLO = (1, 2, "PER"), (3, 4, "LOC")

spans = st.tuples(st.integers(0, 5), st.integers(1, 3), st.sampled_from(["LOC", "PER"])).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2])
)
actions = st.lists(
    st.tuples(st.sampled_from(VERBS), st.lists(spans, max_size=2), st.none() | spans), max_size=8
)


@pytest.fixture
def gold(tmp_path):
    return GoldFile(tmp_path / "gold.jsonl", by="ann", clock=lambda: "2024-05-06T07:08:09Z")


def lines(gold):
    return [json.loads(line) for line in gold.path.read_text().splitlines()]


@given(actions)
def test_accepted_spans_never_overlap_and_what_is_decided_is_not_open(drawn):
    taken = tuple(
        Action(number=i, verb=verb, spans=tuple(of), instead=instead)
        for i, (verb, of, instead) in enumerate(drawn)
    )
    judged = Review(actions=taken).judgement()
    places = [range(start, end) for start, end, _ in judged.gold]
    tokens = [token for place in places for token in place]
    assert len(tokens) == len(set(tokens))
    assert not judged.accepted & judged.rejected
    assert not open_spans(judged, judged.accepted | judged.rejected)
    assert Review(actions=tuple(Action.from_json(a.to_json()) for a in taken)).judgement() == judged


def test_a_correction_takes_the_place_of_what_it_corrects():
    action = Action(number=1, verb="correct", spans=((0, 2, "PER"),), instead=BERG)
    judged = Review(actions=(action,)).judgement()
    assert judged.gold == ((0, 2, "PER"),)
    assert BERG in judged.rejected


def test_a_look_is_worth_more_where_more_is_wrong_and_less_is_to_read():
    assert value(2.0, 100.0) > value(1.0, 100.0) > value(1.0, 200.0) > value(0.0, 10.0) == 0


def test_a_document_is_gold_once_it_is_finished(gold):
    gold.act(WORDS, "accept", [BERG])
    assert "gold" not in lines(gold)[0]
    assert gold.finished() == set()
    gold.act(WORDS, "finish", [OSLO])
    assert lines(gold)[0]["gold"] == [list(BERG), list(OSLO)]
    assert gold.finished() == {"d0"}
    gold.act(WORDS, "reopen")
    assert "gold" not in lines(gold)[0]


def test_who_and_when_stand_in_the_file(gold):
    gold.act(WORDS, "reject", [OSLO])
    (action,) = lines(gold)[0]["review"]["actions"]
    assert action == {
        "number": 1,
        "do": "reject",
        "spans": [list(OSLO)],
        "by": "ann",
        "at": "2024-05-06T07:08:09Z",
    }


def test_undo_takes_back_the_last_decision_whichever_document_it_was_about(gold):
    gold.act(WORDS, "accept", [BERG])
    gold.act(OTHER, "finish", [(0, 1, "LOC")])
    gold.act(WORDS, "reject", [OSLO])
    assert gold.undo() == "d0"
    assert gold.undo() == "7"
    assert gold.finished() == set()
    assert gold.review("7") is None
    assert gold.undo() == "d0"
    assert gold.undo() is None
    assert gold.path.read_text() == ""


def test_a_new_reader_of_the_file_knows_all_and_can_undo(gold):
    gold.act(WORDS, "accept", [BERG])
    gold.act(WORDS, "finish")
    again = GoldFile(gold.path, by="bob")
    assert again.review("d0") == gold.review("d0")
    assert again.undo() == "d0"
    assert not again.finished()


def test_lines_of_others_stay_as_they_are_and_come_back(gold):
    line = '{ "id": "d0",  "text": "Ms Berg left Oslo",\t"entities": [[3, 7, "PER"]] }'
    other = '{"id": "d9", "text": "x", "entities": []}'
    gold.path.write_text(f"{line}\n{other}\n")
    file = GoldFile(gold.path, by="ann")
    assert file.finished() == {"d0", "d9"}
    file.act(WORDS, "reject", [BERG], given=(BERG,))
    assert lines(file)[0]["gold"] == []
    assert gold.path.read_text().splitlines()[1] == other
    assert GoldFile(gold.path).undo() == "d0"
    assert gold.path.read_text() == f"{line}\n{other}\n"


def test_what_somebody_else_wrote_meanwhile_is_kept(gold):
    gold.act(WORDS, "accept", [BERG])
    second = GoldFile(gold.path, by="bob")
    second.act(OTHER, "finish", [(0, 1, "LOC")])
    gold.act(WORDS, "accept", [OSLO])
    assert [line["id"] for line in lines(gold)] == ["d0", 7]


def test_a_decision_that_cannot_be_written_is_not_made(gold, monkeypatch):
    gold.act(WORDS, "accept", [BERG])
    before = gold.path.read_bytes()

    def full(path):
        raise InputError("cannot be written: no space left", path=path)

    monkeypatch.setattr("silverspan.view.gold_file.atomic_write", full)
    with pytest.raises(InputError, match="no space left"):
        gold.act(WORDS, "finish")
    assert gold.path.read_bytes() == before
    assert not gold.finished()


@pytest.mark.parametrize("damage", ['"verbs"', '{"given":null,"line":null,"actions":[1]}', "7"])
def test_a_damaged_review_is_named_with_its_line(gold, damage):
    gold.path.write_text(
        f'{{"id":"d0","tokens":["x"],"spaces":"0","weak":{{}},"review":{damage}}}\n'
    )
    with pytest.raises(InputError, match=r"gold\.jsonl:1: .*damaged"):
        GoldFile(gold.path)


def test_only_json_lines_are_written(tmp_path):
    with pytest.raises(InputError, match="--gold"):
        GoldFile(tmp_path / "gold.conll")


def test_every_reader_of_gold_reads_the_file(gold, tmp_path):
    gold.act(WORDS, "finish", [BERG, OSLO])
    gold.act(OTHER, "accept", [(0, 1, "LOC")])
    assert [record.gold for record in read_records(gold.path)] == [(BERG, OSLO), None]
    assert [voted.record.id for voted in read_votes(gold.path)] == ["d0", "7"]
    predicted = tmp_path / "pred.jsonl"
    found = [
        {"id": "d0", "tokens": WORDS.tokens, "pred": [[1, 2, "PER", 1.0]]},
        {"id": 7, "tokens": OTHER.tokens, "pred": []},
    ]
    predicted.write_text("".join(json.dumps(one) + "\n" for one in found))
    assert [to_prediction(item, "0")[1].spans for item in read_objects(predicted)]
    scores = evaluate_files(gold.path, predicted)
    assert scores.documents == 1
    assert scores.f1 == pytest.approx(2 / 3)


def test_gold_in_another_format_is_read_and_decisions_go_beside_it(tmp_path):
    settings = SETTINGS + '\n[evaluation]\ngold = "gold.conll"\n'
    project = write_project(tmp_path / "p", settings=settings)
    conll = tmp_path / "p" / "gold.conll"
    conll.write_text("Ms O\nBerg B-PER\nleft O\nOslo B-LOC\n")
    before = conll.read_bytes()
    file = GoldFile.of(project, by="ann")
    (name,) = file.finished()
    words = Words(id=name, tokens=WORDS.tokens, spaces=WORDS.spaces)
    file.act(words, "reopen", given=file.record(name).gold)
    assert not GoldFile.of(project).finished()
    assert file.path == tmp_path / "p" / "gold.jsonl"
    assert conll.read_bytes() == before
    file.undo()
    assert file.finished() == {name}
