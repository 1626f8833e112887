"""The experiments multiply in half precision; what they train must learn all the same."""

import pytest

from experiments.paper.adaptation import predict
from tests.baselines.test_baselines import SMALL

pytest.importorskip("torch", reason="the extra 'baselines' is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def test_an_encoder_learns_in_half_precision_too(source, target, tiny_encoder):
    found = predict(
        "adaptabert",
        SMALL["adaptabert"] | {"encoder": str(tiny_encoder)},
        source,
        target,
        labels=["LOC", "PER"],
        mapping={"person": "PER"},
        seed=0,
        bfloat16=True,
    )
    right = sum((1, 3, "PER") in [s[:3] for s in found.spans.of(i)] for i in range(len(target)))
    assert right >= 15
