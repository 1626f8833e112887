from dataclasses import replace

import numpy as np
import pytest

from silverspan.labels import LabelSpace
from silverspan.observations import islands as islands_module
from silverspan.observations.features import token_features
from silverspan.observations.islands import Islands
from silverspan.observations.votes import Votes
from silverspan.testing import KnownModel

SPACE = LabelSpace(outputs=("LOC", "PER"))


def build(documents, lengths, **more):
    return Votes.build(
        documents, lengths=lengths, space=SPACE, functions={"a": ["LOC"], "b": ["PER"]}, **more
    )


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    sampled, _ = KnownModel.random(rng, functions=3).sample(rng, documents=40, length=12)
    words = [rng.choice(["Ann", "in", "Oslo"], 12).tolist() for _ in range(40)]
    return replace(sampled, features=token_features(words))


def test_equal_islands_are_kept_once_and_counted():
    said = {"a": [(1, 3, "LOC", 1.0)]}
    found = Islands.of(build([said, {}, said, said], [5, 2, 5, 5]), "bio")
    assert [block.count.tolist() for block in found.blocks] == [[3.0]]
    assert found.position.tolist() == [1, 2, 8, 9, 13, 14]


def test_an_island_at_the_edge_of_a_document_is_another_one():
    said = {"a": [(0, 2, "LOC", 1.0)]}
    found = Islands.of(build([said, said], [5, 2]), "bio")
    assert [block.count.tolist() for block in found.blocks] == [[1.0, 1.0]]


def test_absence_makes_another_island_than_silence():
    said = {"a": [(1, 2, "LOC", 1.0)]}
    asked = np.array([[True, True], [True, False]])
    found = Islands.of(build([said, said], [3, 3], asked=asked), "bio")
    assert found.blocks[0].count.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("size", [5, 1 << 14])
def test_every_token_finds_its_votes_and_features_again(votes, monkeypatch, size):
    monkeypatch.setattr(islands_module, "BLOCK", size)
    found = Islands.of(votes, "bio")
    bases = np.cumsum([0, *(len(block.pattern) for block in found.blocks)])
    for token, row in zip(found.position.tolist(), found.row.tolist(), strict=True):
        number = int(np.searchsorted(bases, row, side="right")) - 1
        block, own = found.blocks[number], row - bases[number]
        assert (block.features[own] == votes.features.ids[token]).all()
        entries = block.patterns.entry == block.pattern[own]
        kept = {
            (int(f), int(label))
            for f, label in zip(
                block.patterns.function[entries], block.patterns.label[entries], strict=True
            )
        }
        document, place = divmod(token, 12)
        over = (votes.document == document) & (votes.start <= place) & (votes.end > place)
        assert kept == set(
            zip(votes.function[over].tolist(), votes.label[over].tolist(), strict=True)
        )


def test_what_lies_between_adds_up(votes):
    found = Islands.of(votes, "bio")
    outside = votes.tokens - len(found.position)
    assert found.between.said[:, 0].tolist() == [outside] * 3
    assert all(counts.sum() == outside for counts in found.between.features)
    inner = sum(float(block.count @ (np.bincount(block.island) - 1)) for block in found.blocks)
    into = sum(float(block.count[~block.at_start].sum()) for block in found.blocks)
    out = sum(float(block.count[~block.at_end].sum()) for block in found.blocks)
    assert found.between.moves + inner + into + out == 40 * 11
    starts = sum(float(block.count[block.at_start].sum()) for block in found.blocks)
    assert found.between.starts + starts == 40


def test_coarse_votes_make_no_island_unless_asked_for():
    votes = Votes.build(
        [{"a": [(1, 2, "ENT", 1.0)]}], lengths=[4], space=SPACE, functions={"a": ["ENT"]}
    )
    assert len(Islands.of(votes, "bio").position) == 0
    assert Islands.of(votes, "bio").between.said.tolist() == [[3.0, 0.0, 0.0, 1.0]]
    assert Islands.of(votes, "bio", coarse=True).position.tolist() == [1]


def test_unconstrained_every_document_is_one_island(votes):
    found = Islands.of(votes, "bio", constrained=False)
    assert len(found.position) == votes.tokens
    assert all((block.at_start & block.at_end).all() for block in found.blocks)
