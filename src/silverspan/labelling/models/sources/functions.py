"""``BTC``, ``SEC`` and ``conll2003``, raw and corrected: recognisers that ship with the package.

Each folder under ``weights/`` is a spaCy pipeline with a card (README.md) that says what it was
trained on, on what terms, and how well it does.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.models.pipeline import spacy_model

_WEIGHTS = Path(__file__).with_name("weights")
#: The recognisers that ship.
SHIPPED = ("BTC", "SEC", "conll2003")


def weights_of(name: str) -> Path:
    """Return the folder of a shipped recogniser."""
    return _WEIGHTS / name


def shipped(
    name: str,
    *,
    labels: Mapping[str, str] | None = None,
    corrected: bool = False,
    beam_width: int = 1,
    truecase: bool = False,
) -> LabellingFunction:
    """Return the function of a shipped recogniser; ``labels`` renames what it says.

    Its LOC is any place: where GPE or FAC are labels of their own, rename it to a coarse label.

    >>> shipped("BTC").labels
    ('LOC', 'ORG', 'PERSON')
    """
    return spacy_model(
        str(weights_of(name)),
        name=name,
        labels=labels,
        corrected=corrected,
        beam_width=beam_width,
        truecase=truecase,
    )


btc = partial(shipped, "BTC")
btc_corrected = partial(shipped, "BTC", corrected=True)
sec = partial(shipped, "SEC")
sec_corrected = partial(shipped, "SEC", corrected=True)
conll2003 = partial(shipped, "conll2003")
conll2003_corrected = partial(shipped, "conll2003", corrected=True)
