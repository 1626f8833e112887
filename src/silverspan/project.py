"""The project file ``silverspan.toml`` as typed settings.

A directory or file goes in, a frozen ``Project`` comes out, or an error that names the key, its
line, and what is allowed there. Nothing here opens a corpus or imports spaCy.
"""

import glob
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from silverspan.errors import LabelError, ProjectError
from silverspan.labels import LabelSpace
from silverspan.project_file import FILE_NAME, line_of, read_table, validate
from silverspan.workspace.store import Store

View = Literal["strict", "exact", "partial", "type"]
Format = Literal[
    "text",
    "lines",
    "jsonl",
    "csv",
    "conll",
    "docbin",
    "parquet",
    "json",
    "label-studio",
    "doccano",
    "prodigy",
    "argilla",
]

_NORMALISATIONS = ("leading_determiners", "trailing_possessives", "edge_punctuation")


def _normalisation(name: str) -> str:
    """Return a normalisation, a kind or ``kind:LABEL+LABEL``, if there is such a kind."""
    if name.partition(":")[0] not in _NORMALISATIONS:
        raise ValueError(f"allowed are {', '.join(_NORMALISATIONS)}, or one with :LABEL+LABEL")
    return name


Normalisation = Annotated[str, AfterValidator(_normalisation)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ProjectTable(_Table):
    """``[project]``: what it is called, and the seed of everything random."""

    name: str = "project"
    seed: int = Field(default=0, ge=0, lt=2**32)


class CorpusTable(_Table):
    """``[corpus]``: which files, and the spaCy pipeline that reads them."""

    path: str | list[str]
    format: Format | None = None
    pipeline: str = "en"
    shard_size: int = Field(default=500, ge=1, lt=2**31)
    on_error: Literal["raise", "skip"] = "raise"


class LabelsTable(_Table):
    """``[labels]``: what comes out, what maps onto it, and what stands for several."""

    output: list[str] = Field(min_length=1)
    map: dict[str, str] = Field(default_factory=dict)
    coarse: dict[str, list[str]] = Field(default_factory=dict)


class FunctionsTable(_Table):
    """``[functions]``: a preset, the project's own, and their options."""

    preset: str = "english"
    files: list[str] = Field(default_factory=list)
    only: list[str] | None = None
    without: list[str] = Field(default_factory=list)
    on_error: Literal["raise", "skip"] = "raise"
    second_stage: bool = False
    gazetteers: dict[str, str] = Field(default_factory=dict)
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)
    rules: dict[str, dict[str, Any]] = Field(default_factory=dict)


class ModelTable(_Table):
    """``[model]``: the label model and its settings."""

    name: str = "hmm"
    options: dict[str, Any] = Field(default_factory=dict)


class TrainingTable(_Table):
    """``[training]``: the student, or none."""

    trainer: str | Literal[False] = "soft_tagger"
    max_tokens: int = Field(default=1_000_000, ge=1)
    options: dict[str, Any] = Field(default_factory=dict)


class EvaluationTable(_Table):
    """``[evaluation]``: gold to score against, if there is any."""

    gold: str | None = None
    gold_format: Format | None = None
    labels: list[str] | None = None
    map: dict[str, str] = Field(default_factory=dict)
    views: list[View] = Field(default=["strict"], min_length=1)
    normalise: list[Normalisation] = Field(default_factory=list)


class OutputTable(_Table):
    """``[output]``: where results go."""

    directory: str = Field(default="output", pattern=r"^[^\x00]*$")


class Settings(_Table):
    """Everything a project file may say."""

    project: ProjectTable = Field(default_factory=ProjectTable)
    corpus: CorpusTable
    labels: LabelsTable
    functions: FunctionsTable = Field(default_factory=FunctionsTable)
    model: ModelTable = Field(default_factory=ModelTable)
    training: TrainingTable = Field(default_factory=TrainingTable)
    evaluation: EvaluationTable = Field(default_factory=EvaluationTable)
    output: OutputTable = Field(default_factory=OutputTable)


class Project:
    """A project: its settings and the places it names.

    Raises:
        ProjectError: the file is missing, is no TOML, or says something it may not.
    """

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        self.file = path / FILE_NAME if path.is_dir() or path.suffix != ".toml" else path
        self.directory = self.file.parent
        text, table = read_table(self.file)
        self.settings = validate(Settings, table, text, self.file)
        self.space = _label_space(self.settings.labels, text, self.file)

    @property
    def workspace(self) -> Path:
        """Where intermediate results are kept."""
        return self.directory / ".silverspan"

    @property
    def output(self) -> Path:
        """Where results go."""
        return self.directory / self.settings.output.directory

    @property
    def corpus_paths(self) -> list[str]:
        """The corpus files or patterns, relative ones under the project's directory."""
        paths = self.settings.corpus.path
        return [
            str(self.directory / path) for path in ([paths] if isinstance(paths, str) else paths)
        ]

    @property
    def function_files(self) -> list[Path]:
        """The Python files that register the project's own labelling functions."""
        return [self.directory / name for name in self.settings.functions.files]

    @property
    def function_options(self) -> dict[str, dict[str, Any]]:
        """The options of functions by name; files are under the project's directory."""
        settings = self.settings.functions
        options: dict[str, dict[str, Any]] = {}
        for name, file in settings.gazetteers.items():
            for prefix in ("", "multitoken_"):
                for case in ("cased", "uncased"):
                    options[f"{prefix}{name}_{case}"] = {"file": file}
        for function, own in settings.options.items():
            options[function] = {**options.get(function, {}), **own}
        return {
            function: {
                key: str(self.directory / value) if key == "file" else value
                for key, value in own.items()
            }
            for function, own in options.items()
        }

    @property
    def inputs(self) -> list[Path]:
        """Every file that the project reads and that is there: none of them may be written."""
        corpus = [path for each in self.corpus_paths for path in (each, *glob.glob(each))]
        named = [self.file, *self.function_files, self.gold_path, *map(Path, corpus)]
        return [path for path in named if path is not None and path.is_file()]

    @property
    def stores(self) -> tuple[Store, Store]:
        """What is kept between runs, and the results."""
        return (
            Store(self.workspace, self.workspace / "manifests"),
            Store(self.output, self.workspace / "output-manifests"),
        )

    @property
    def files(self) -> list[Path]:
        """Every file and folder that the project file may name: any text in it that is a path.

        Also the Python files beside those with functions, which may import them.
        """
        tables = self.settings.model_dump(exclude={"project", "output"})
        named = {self.directory / text for text in _texts(tables) if text and "\0" not in text}
        named |= {beside for file in self.function_files for beside in file.parent.glob("*.py")}
        return [self.file, *sorted(path for path in named if _exists(path))]

    @property
    def gold_path(self) -> Path | None:
        """The gold file, if the project names one."""
        gold = self.settings.evaluation.gold
        return None if gold is None else self.directory / gold


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a text too long for a name
        return False


def _label_space(table: LabelsTable, text: str, path: Path) -> LabelSpace:
    try:
        return LabelSpace(
            outputs=tuple(table.output),
            finer=table.map,
            coarse={name: tuple(members) for name, members in table.coarse.items()},
        )
    except LabelError as error:
        line = line_of(text, ("labels",))
        raise ProjectError(f"labels: {error}", key="labels", path=path, line=line) from None
