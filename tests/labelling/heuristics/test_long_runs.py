"""Runs of one kind of token, far longer than in any text: what would be slow is seen to end."""

import pytest
import spacy
from spacy.tokens import Doc

from silverspan.labelling.function import functions
from silverspan.labelling.presets import HEURISTICS

VOCAB = spacy.blank("en").vocab
RUNS = [
    ["Berg"],
    ["John"],
    ["1,000"],
    ["two"],
    ["5"],
    ["BERG"],
    ["J."],
    ["van"],
    ["May"],
    ["Bank", "of"],
    ["French"],
    ["Act", "of", "the"],
    ["Inc.", "&"],
    ["1996", "-"],
    ["$"],
    ["million"],
]


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_long_runs_are_read_to_the_end(run: list[str]) -> None:
    words = run * (3000 // len(run))
    doc = Doc(VOCAB, words=words, tags=["NNP"] * len(words))
    for name in HEURISTICS:
        if name != "snips" and "compound" not in name:
            for start, end, *_ in functions[name]()(doc):
                assert 0 <= start < end <= len(words)
