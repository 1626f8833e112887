import json

import numpy as np
import pytest

from silverspan.aggregation import Hmm, MajorityVote, Posterior
from silverspan.analysis import Analyst, Terms, analyse
from silverspan.analysis import analyst as module
from silverspan.analysis.estimates import Estimates
from silverspan.analysis.hardest import Hardest, entropy
from silverspan.errors import InputError, UnknownNameError
from silverspan.evaluation import evaluate_spans
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes

SPACE = LabelSpace(outputs=("LOC", "ORG", "PER"), coarse={"PLACE": ("LOC", "ORG")})
NAMES = ("geo", "names", "again", "places", "mute")
WORDS = ["Rome", "met", "Ms", "Berg", "in", "Komatsu", "."]


def corpus(documents=24, seed=0):
    generator = np.random.default_rng(seed)
    said = []
    for number in range(documents):
        one = {"geo": [(0, 1, "LOC", 1.0), (5, 6, "LOC", 1.0)]}
        if generator.random() < 0.8:
            one["names"] = [(2, 4, "PER", 0.8), (5, 6, "ORG", 1.0)]
            one["again"] = [(2, 4, "PER", 0.8), (5, 6, "ORG", 1.0)]
        if number % 3 == 0:
            one["places"] = [(0, 1, "PLACE", 1.0)]
        said.append(one)
    return Votes.build(
        said,
        lengths=[len(WORDS)] * documents,
        space=SPACE,
        functions={name: SPACE.names for name in NAMES},
        documents=[f"d{i}" for i in range(documents)],
    )


@pytest.fixture(scope="module")
def shown():
    votes = corpus()
    model = Hmm().fit(votes)
    return votes, model, model.posterior(votes)


@pytest.fixture(scope="module")
def found(shown):
    votes, model, posterior = shown
    gold = {i: [(0, 1, "LOC"), (3, 4, "PER"), (5, 6, "ORG")] for i in range(4)}
    return analyse(votes, posterior, [WORDS] * 24, gold=gold, model=model)


def test_estimates_are_what_looking_at_every_token_gives(shown):
    votes, _, posterior = shown
    counts = Estimates.of(votes, posterior)
    for i, name in enumerate(votes.functions):
        for label in range(len(SPACE.names)):
            members = [1 + member for member in SPACE.stands_for(label)]
            said = hit = there = exact = 0.0
            for document in range(len(votes.lengths)):
                mass = posterior.probabilities(document)[:, members].sum(axis=1)
                there += mass.sum()
                silver = [span[:3] for span in posterior.spans.of(document)]
                for row in np.flatnonzero((votes.document == document) & (votes.function == i)):
                    if votes.label[row] == label:
                        start, end = votes.start[row], votes.end[row]
                        said += end - start
                        hit += mass[start:end].sum()
                        exact += any((start, end, SPACE.outputs[m - 1]) in silver for m in members)
            assert counts.said[i, label] == said, name
            assert counts.hit[i, label] == pytest.approx(hit, abs=1e-4)
            assert counts.there[i, label] == pytest.approx(there, abs=1e-3)
            assert counts.span_hit[i, label] == exact


def test_shards_give_what_the_whole_gives(shown):
    votes, model, posterior = shown
    whole = analyse(votes, posterior, [WORDS] * 24, model=model)
    analyst = Analyst(documents=24, tokens=votes.tokens)
    for low in range(0, 24, 5):
        part = votes.slice(low, min(low + 5, 24))
        analyst.add(part, model.posterior(part), [WORDS] * len(part.lengths))
    assert analyst.result(model).to_json() == whole.to_json()


def test_pairs_are_told_in_words_with_what_they_differ_on(found):
    texts = [one.text for one in found.suggestions if one.topic == "pair"]
    assert any("`geo` and `again` disagree on" in text and "`Komatsu`" in text for text in texts)


def test_what_is_silent_or_a_duplicate_is_told(found):
    told = " ".join(one.text for one in found.suggestions if one.topic == "function")
    assert "`mute` never speaks" in told
    assert "`again` and `names` say nearly the same" in told


def test_labels_with_one_witness_are_told():
    votes = corpus().select(["names"])
    model = MajorityVote().fit(votes)
    found = analyse(votes, model.posterior(votes), [WORDS] * 24, model=model, refit=False)
    told = {one.text.split(":")[0]: one.labels for one in found.suggestions}
    assert told["Labels with one witness only, so that nothing can be checked"] == ("ORG", "PER")
    assert told["No function ever says `LOC`"] == ("LOC",)


def test_a_function_is_measured_as_the_evaluation_does(found, shown):
    votes = shown[0]
    gold = [[(0, 1, "LOC"), (3, 4, "PER"), (5, 6, "ORG")]] * 4
    for row in found.functions:
        number = votes.functions.index(row.function)
        said = [
            [
                (int(votes.start[i]), int(votes.end[i]), SPACE.names[votes.label[i]])
                for i in np.flatnonzero((votes.document == d) & (votes.function == number))
            ]
            for d in range(4)
        ]
        micro = evaluate_spans(gold, said, lengths=[7] * 4, labels=SPACE.outputs).entities["strict"]
        assert (row.measured_precision or 0.0) == pytest.approx(micro.micro.precision)
        assert (row.measured_recall or 0.0) == pytest.approx(micro.micro.recall)


def test_everything_is_json_and_frames(found):
    text = json.dumps(found.to_json(), allow_nan=False)
    assert json.loads(text)["functions"][0]["function"] == "geo"
    for name, columns in found.frames().items():
        assert len({len(column) for column in columns.values()}) == 1, name
        assert list(found.frame(name).columns) == list(columns)
    with pytest.raises(UnknownNameError, match="no table"):
        found.frame("nothing")


def test_matrices_are_symmetrical_and_say_how_far_pairs_agree(found):
    whole = found.matrices[0]
    assert whole.label is None
    agreement = np.array(whole.agreement)
    assert np.array_equal(agreement, agreement.T)
    pair = whole.functions.index("names"), whole.functions.index("again")
    assert agreement[pair] == 1.0
    assert {one.label for one in found.matrices} == {None, "ORG", "PER"}  # two say them


def test_what_is_costly_is_done_on_a_sample_that_is_told(shown, monkeypatch):
    votes, model, posterior = shown
    monkeypatch.setattr(module, "REFIT", 70)
    monkeypatch.setattr(module, "EXAMPLES", 84)
    monkeypatch.setattr(module, "REFITS", 2)
    sample = analyse(votes, posterior, [WORDS] * 24, model=model).sample
    assert (sample.documents, sample.refit_documents, sample.refits) == (12, 10, 2)


def test_what_does_not_fit_together_is_an_error(shown):
    votes, _, posterior = shown
    with pytest.raises(InputError, match="same documents"):
        analyse(votes, posterior, [WORDS] * 23)
    with pytest.raises(InputError, match="no documents"):
        Analyst(documents=0, tokens=0).result()


def test_entropy_is_greatest_where_all_is_equally_probable():
    rows = np.array([[0.25] * 4, [0.7, 0.1, 0.1, 0.1], [1.0, 0.0, 0.0, 0.0]])
    assert entropy(rows).tolist() == sorted(entropy(rows), reverse=True)
    assert entropy(rows)[0] == pytest.approx(np.log(4))


def hard(texts, doubts):
    """Show one document, each of whose tokens is LOC or else O, so far in doubt."""
    doubts = np.array(doubts)
    posterior = Posterior.build(
        labels=("LOC",),
        scheme="io",
        documents=("d",),
        lengths=np.array([len(texts)]),
        position=np.arange(len(texts)),
        probability=np.stack([doubts, 1 - doubts], axis=1),
    )
    return posterior, np.zeros(len(texts), dtype=np.int64), [texts]


def test_the_hardest_come_first_and_few_of_one_text():
    kept = Hardest(("LOC",), keep=3)
    kept.add(*hard(["May", "x", "May", "x", "May", "x", "Rand"], [0.4, 1, 0.45, 1, 0.49, 1, 0.3]))
    assert [row.text for row in kept.tokens()] == ["May", "May", "Rand"]
    first = kept.entities()[0]
    assert (first.text, first.times, dict(first.labels)) == ("May", 3, {"LOC": 3})
    assert first.expected_errors == pytest.approx(0.4 + 0.45 + 0.49, abs=1e-5)


def test_a_bounded_number_of_texts_is_remembered():
    kept = Hardest(("LOC",), keep=2, texts=5)
    for number in range(40):
        kept.add(*hard([f"name{number}"], [0.01 * (number % 20)]))
    assert len(kept._entities) <= 10
    assert {row.text for row in kept.entities()} == {"name19", "name39"}


def test_gold_is_compared_on_terms(shown):
    votes, model, posterior = shown
    gold = {0: [(0, 1, "PLACE"), (5, 6, "PLACE"), (1, 4, "PER")]}
    terms = Terms(mapping={"LOC": "PLACE", "ORG": "PLACE"}, labels=("PLACE",))
    found = analyse(
        votes, posterior, [WORDS] * 24, gold=gold, terms=terms, model=model, refit=False
    )
    assert found.gold.labels == ("PLACE",)
    assert found.gold.kinds["correct"] == {"PLACE": 2}
    assert not found.gold.mistakes
    geo = {row.label: row for row in found.by_label if row.function == "geo"}["LOC"]
    assert (geo.measured_precision, geo.measured_recall) == (1.0, 1.0)
