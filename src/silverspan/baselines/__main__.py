"""``python -m silverspan.baselines CONFIG``: one baseline, from a file that says everything.

method = "adaptabert"                 # or msda, source
output = "pred.jsonl"
seed = 1
[source]
path = ["tweets.conll"]               # with gold
[target]
path = "news.conll"                   # its gold, if any, is not read
[labels]
output = ["LOC", "ORG", "PER"]
map = { person = "PER" }
[options]
seeds = 5
"""

import logging
import sys
from pathlib import Path
from typing import Any

import spacy
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from silverspan.aggregation.predictions import write_predictions
from silverspan.baselines.baseline import baselines
from silverspan.baselines.source import gold_posterior
from silverspan.corpus.corpus import Corpus
from silverspan.corpus.document import original_id
from silverspan.errors import ProjectError, SilverspanError
from silverspan.project_file import read_table, validate

logger = logging.getLogger(__name__)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class DocumentsTable(_Table):
    """Which files."""

    path: str | list[str]
    format: str | None = None


class LabelsTable(_Table):
    """What comes out, and what maps onto it."""

    output: list[str] = Field(min_length=1)
    map: dict[str, str] = Field(default_factory=dict)


class Settings(_Table):
    """Everything the file may say."""

    method: str
    output: str
    seed: int = Field(default=0, ge=0, lt=2**32)
    language: str = "en"
    source: DocumentsTable
    target: DocumentsTable
    labels: LabelsTable
    options: dict[str, Any] = Field(default_factory=dict)


def run(path: Path) -> Path:
    """Train the baseline that a file describes, write its predictions, return their place.

    Raises:
        SilverspanError: the file or what it names is wrong.
    """
    text, table = read_table(path)
    settings = validate(Settings, table, text, path)
    try:
        method = baselines[settings.method](**settings.options)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ProjectError(
            f"{settings.method} cannot use options.{place}: {first['msg']}", path=path
        ) from None
    nlp = spacy.blank(settings.language)
    source, target = (
        list(Corpus.read(_under(path, each.path), nlp, each.format))
        for each in (settings.source, settings.target)
    )
    gold = gold_posterior(source, settings.labels.output, settings.labels.map)
    found = method.predict(source, gold, target, seed=settings.seed)
    output = path.parent / settings.output
    words = [[token.text for token in doc] for doc in target]
    write_predictions(found, words, output, ids=[original_id(doc) for doc in target], probs=True)
    return output


def _under(path: Path, names: str | list[str]) -> list[str]:
    return [str(path.parent / name) for name in ([names] if isinstance(names, str) else names)]


def main(arguments: list[str]) -> int:
    """Run the command line; return its exit code."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if len(arguments) != 1:
        logger.error("usage: python -m silverspan.baselines CONFIG.toml")
        return 2
    try:
        logger.info("wrote %s", run(Path(arguments[0])))
    except SilverspanError as error:
        logger.error("error: %s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
