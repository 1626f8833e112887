"""Posterior: the probability of every tag at every token, and its decoding to spans.

Made by aggregators; read by training (soft labels), evaluation and the writers of predictions.
Only tokens that some function voted for are stored: everywhere else the state is "O" for certain.
"""

from dataclasses import dataclass

from jaxtyping import Float32, Int16, Int32, Int64
from numpy import ndarray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Spans:
    """Decoded spans, sorted by document and start: half-open, in tokens, never overlapping."""

    labels: tuple[str, ...]
    document: Int32[ndarray, " spans"]
    start: Int32[ndarray, " spans"]
    end: Int32[ndarray, " spans"]
    label: Int16[ndarray, " spans"]
    probability: Float32[ndarray, " spans"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Posterior:
    """P(tag | votes) for every voted token.

    Tags are the states of ``tagging.tags(labels, scheme)``.
    ``position`` counts the tokens of the whole corpus, document after document, in rising order; a
    token that is not there is "O" with probability one. State 0 is "O".
    """

    labels: tuple[str, ...]
    scheme: str
    documents: tuple[str, ...]
    lengths: Int32[ndarray, " documents"]
    position: Int64[ndarray, " voted"]
    probability: Float32[ndarray, "voted states"]
    spans: Spans
