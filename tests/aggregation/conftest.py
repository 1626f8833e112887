import numpy as np
import pytest

from silverspan.labels import LabelSpace
from silverspan.observations.votes import Votes


@pytest.fixture
def make_votes():
    """Make random votes: names in documents, each function right with its own probability."""

    def make(seed=0, *, documents=30, functions=5, labels=("LOC", "PER"), asked=None, length=12):
        generator = np.random.default_rng(seed)
        names = [f"f{i}" for i in range(functions)]
        accuracy = generator.uniform(0.6, 0.95, size=functions)
        gold, proposals = [], []
        for _ in range(documents):
            start = int(generator.integers(0, 2))
            spans = []
            while start < length - 3:
                size = int(generator.integers(1, 4))
                spans.append((start, start + size, str(generator.choice(labels))))
                start += size + int(generator.integers(1, 4))
            said = {}
            for name, right in zip(names, accuracy, strict=True):
                rows = []
                for begin, end, label in spans:
                    if generator.random() < 0.2:
                        continue
                    if generator.random() > right:
                        label = str(generator.choice(labels))
                    rows.append((begin, end, label, float(generator.choice([0.5, 0.9, 1.0]))))
                said[name] = rows
            gold.append(spans)
            proposals.append(said)
        return (
            Votes.build(
                proposals,
                lengths=[length] * documents,
                space=LabelSpace(outputs=tuple(labels)),
                functions=dict.fromkeys(names, (*labels, "ENT")),
                asked=asked,
            ),
            gold,
        )

    return make


@pytest.fixture
def score():
    """Score a posterior by strict entity F1."""

    def f1(posterior, gold):
        right = found = 0
        for document, spans in enumerate(gold):
            predicted = {span[:3] for span in posterior.spans.of(document)}
            right += len(predicted & set(spans))
            found += len(predicted)
        wanted = sum(map(len, gold))
        return 2 * right / (found + wanted)

    return f1
