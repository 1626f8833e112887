"""On which terms gold is compared: labels renamed, labels that count, differences overlooked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from silverspan.analysis.gold import Span
from silverspan.evaluation.normalisation import normalise


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """The terms of a comparison, the same on all sides; ``labels`` None: all count."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] | None = None
    normalisations: tuple[str, ...] = ()

    def label(self, name: str) -> str | None:
        """Return what a label is called here; None if it does not count.

        >>> Terms(mapping={"GPE": "LOC"}, labels=("LOC",)).label("GPE")
        'LOC'
        """
        name = self.mapping.get(name, name)
        return name if self.labels is None or name in self.labels else None

    def spans(self, spans: Iterable[Span], tokens: Sequence[str]) -> list[Span]:
        """Return the spans that count, as they are compared, each once."""
        renamed = [(start, end, self.label(label)) for start, end, label in spans]
        kept = [(start, end, label) for start, end, label in renamed if label is not None]
        return sorted(set(normalise(kept, tokens, self.normalisations)))
