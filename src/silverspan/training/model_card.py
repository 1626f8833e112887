"""The card of a model: what it is and what it was made from, as the ``README.md`` of its folder.

Goes in: facts, all of them plain. Comes out: Markdown that people read, that Hugging Face shows,
and that ``spacy package`` takes along.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from silverspan import __version__

CARD = "README.md"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCard:
    """What is known of a model. ``scores`` has precision, recall and F1 by the name of a system."""

    name: str
    trainer: str
    labels: Sequence[str]
    documents: int
    tokens: int
    trained: str
    seed: int
    sources: Sequence[str]
    pipeline: str
    language: str = "en"
    options: Mapping[str, Any] = field(default_factory=dict)
    label_model: str | None = None
    functions: Sequence[str] = ()
    gold: str | None = None
    scores: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    def markdown(self) -> str:
        """Return the card.

        >>> card = ModelCard(
        ...     name="news", trainer="soft_tagger", labels=("LOC",), documents=3, tokens=40, seed=0,
        ...     trained="2026-01-31", sources=("pred.jsonl",), pipeline="blank:en",
        ...     scores={"student": (0.5, 1.0, 2 / 3)},
        ... )
        >>> card.markdown().splitlines()[-1]
        '| student | 0.500 | 1.000 | 0.667 |'
        """
        options = ", ".join(f"{name} = {value!r}" for name, value in self.options.items())
        facts = {
            "Labels": ", ".join(self.labels),
            "Trained": f"{self.trained}, silverspan {__version__}, seed {self.seed}",
            "Trainer": f"`{self.trainer}`" + (f" ({options})" if options else ""),
            "Corpus": f"{', '.join(self.sources)}: {self.documents:,} documents, "
            f"{self.tokens:,} tokens, read with `{self.pipeline}`",
            "Label model": f"`{self.label_model}`" if self.label_model else "not recorded",
            "Labelling functions": _functions(self.functions),
        }
        lines = [
            "---",
            "library_name: spacy",
            "pipeline_tag: token-classification",
            f"language: {self.language}",
            "tags: [spacy, token-classification, silverspan]",
            "---",
            "",
            f"# {self.name}",
            "",
            "A named-entity recogniser trained without labelled data. Labelling functions marked",
            "a corpus, a label model weighed and merged them, this tagger learned the result.",
            "",
            *(f"- **{name}:** {value}" for name, value in facts.items()),
            "",
            "```python",
            "import spacy",
            "",
            'nlp = spacy.load("path/to/this/folder")',
            "```",
            "",
            "## Scores",
            "",
        ]
        if not self.scores:
            return "\n".join([*lines, "Not scored: no gold was at hand.", ""])
        if self.gold:
            lines += [f"Entities, against {self.gold}, which was used for nothing else."]
            lines += [""]
        lines += ["| | P | R | F1 |", "|---|---|---|---|"]
        for name, (precision, recall, f1) in self.scores.items():
            lines.append(f"| {name} | {precision:.3f} | {recall:.3f} | {f1:.3f} |")
        return "\n".join([*lines, ""])

    def write(self, directory: Path) -> None:
        """Write the card into the folder of the model."""
        (directory / CARD).write_text(self.markdown(), encoding="utf-8")


def today() -> str:
    """Return the date, or that of SOURCE_DATE_EPOCH where builds must be reproducible.

    >>> len(today())
    10
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdigit() else datetime.now(UTC)
    return moment.date().isoformat()


def _functions(names: Sequence[str]) -> str:
    if not names:
        return "not recorded"
    return f"{len(names)}: " + ", ".join(f"`{name}`" for name in names)
