import numpy as np
import pytest

from silverspan.aggregation import Hmm
from silverspan.aggregation.hmm.leave_one_out import explained, leave_one_out
from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes
from silverspan.testing.synthetic import KnownModel


def explained_slowly(kinds, answers, confusion):
    total = 0.0
    for t in range(len(answers)):
        for answer in range(answers.shape[1]):
            known = sum(kinds[t][k] * confusion[k][answer] for k in range(kinds.shape[1]))
            alone = answers[:, answer].mean()
            if answers[t][answer]:
                total += answers[t][answer] * (np.log(known) - np.log(alone))
    return total


def test_explained_agrees_with_adding_up_token_by_token():
    generator = np.random.default_rng(0)
    kinds, confusion = generator.dirichlet(np.ones(3), 20), generator.dirichlet(np.ones(4), 3)
    answers = np.eye(4)[generator.integers(0, 4, 20)]
    assert explained(kinds, answers, confusion) == pytest.approx(
        explained_slowly(kinds, answers, confusion)
    )


@pytest.fixture(scope="module")
def votes():
    """Five functions that know something, one that speaks at random, one that never does."""
    generator = np.random.default_rng(3)
    model = KnownModel.random(generator, functions=5)
    votes, _ = model.sample(generator, documents=60, length=40)
    said = []
    for document in range(60):
        rows = np.flatnonzero(votes.document == document)
        found = {}
        for row in rows:
            found.setdefault(votes.functions[votes.function[row]], []).append(
                (
                    int(votes.start[row]),
                    int(votes.end[row]),
                    model.labels[votes.label[row]],
                    1.0,
                )
            )
        place = int(generator.integers(0, 40))
        found["noise"] = [(place, place + 1, model.labels[document % 2], 1.0)]
        said.append(found)
    names = [*votes.functions, "noise", "mute"]
    return Votes.build(
        said,
        lengths=[40] * 60,
        space=LabelSpace(outputs=model.labels),
        functions={name: model.labels for name in names},
    )


def test_a_function_that_others_confirm_gains_more_than_noise(votes):
    found = {one.function: one for one in leave_one_out(votes, Hmm(rounds=3))}
    assert found["noise"].gain < min(found[f"function_{i}"].gain for i in range(5))
    assert found["mute"].gain == found["mute"].changed == 0


def test_the_same_function_twice_changes_little(votes):
    found = leave_one_out(votes, Hmm(rounds=3), ["function_0"])
    assert [one.function for one in found] == ["function_0"]
    assert 0 < found[0].changed <= 1
    assert found[0].lost + found[0].gained > 0


def test_the_only_function_and_the_reliable_one_can_be_left_out(votes):
    alone = votes.select(["function_0"])
    assert leave_one_out(alone, Hmm())[0].changed == 0
    reliable = Hmm(rounds=2, reliable="function_1")
    assert leave_one_out(votes, reliable, ["function_1"])[0].function == "function_1"
