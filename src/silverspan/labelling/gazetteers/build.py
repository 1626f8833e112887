"""Sources to a compiled gazetteer file: read, clean, tokenise, sort; in shards, so it can resume.

Goes in: a reader (entries.py) and source files. Comes out: one file (index.py). Beside the target
stands a folder ``TARGET.building`` with the shards made so far and how many lines of which source
they cover; an interrupted build goes on from there, a finished one removes it.
"""

import hashlib
import json
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from silverspan.corpus.files import atomic_write, atomic_write_bytes
from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers import index
from silverspan.labelling.gazetteers.compile import Rows, compile_rows, rows_of_names
from silverspan.labelling.gazetteers.entries import Damage, Entry, Reader
from silverspan.labelling.gazetteers.names import Cleaning
from silverspan.labelling.gazetteers.tokens import NameTokens, TokenizerIdentity
from silverspan.progress import Task

_log = logging.getLogger(__name__)
_NAMES_PER_SHARD = 250_000
_COLUMNS = ("keys", "variants", "kinds", "weights", "marked", "prefixes")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What a build does with entries.

    ``kinds`` maps kinds to labels and comes before what the reader says; a kind mapped to "" is
    left out. ``subsets`` names the gazetteer, and the one of its marked entries if there are any.
    """

    subsets: tuple[str, ...]
    cleaning: Cleaning = field(default_factory=Cleaning)
    kinds: Mapping[str, str] = field(default_factory=dict)
    longest: int = 10
    sources: tuple[str, ...] = ()
    licence: str = ""
    command: str = ""


@dataclass(frozen=True, kw_only=True)
class Built:
    """What a build made, and what it could not read."""

    header: index.Header
    damage: Damage
    path: Path


class _Shards:
    """The folder of unfinished work: sorted shards, and what has been read."""

    def __init__(self, folder: Path, signature: str) -> None:
        self.folder, self.signature = folder, signature
        self.count = 0
        self.lines: dict[str, int] = {}
        self.kinds: dict[str, int] = {}
        state = folder / "state.json"
        if state.exists():
            try:
                saved = json.loads(state.read_text())
            except ValueError:
                saved = {}
            if saved.get("signature") == signature:
                self.count, self.lines = saved["shards"], saved["lines"]
                self.kinds = {kind: number for number, kind in enumerate(saved["kinds"])}
                _log.info("going on with the build in %s", folder)
                return
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, rows: Rows, source: str, line: int) -> None:
        for column in _COLUMNS:
            path = self.folder / f"{self.count:05d}-{column}.npy"
            try:
                np.save(path, getattr(rows, column))
            except OSError as error:
                # numpy tells how much it wrote, and not why it stopped.
                reason = error.strerror or f"No space left on device? ({error})"
                raise GazetteerError(f"{path}: cannot be written: {reason}") from error
        self.count += 1
        self.note(source, line)

    def note(self, source: str, line: int) -> None:
        self.lines[source] = line
        state = {
            "signature": self.signature,
            "shards": self.count,
            "lines": self.lines,
            "kinds": list(self.kinds),
        }
        with atomic_write(self.folder / "state.json") as file:
            json.dump(state, file)

    def rows(self) -> list[Rows]:
        return [
            Rows(
                **{
                    column: np.load(self.folder / f"{number:05d}-{column}.npy", mmap_mode="r")
                    for column in _COLUMNS
                }
            )
            for number in range(self.count)
        ]


def build(
    reader: Reader,
    paths: Sequence[Path],
    target: str | Path,
    *,
    tokenizer: Any,
    recipe: Recipe,
) -> Built:
    """Compile the entries of source files into ``target``.

    Names are cut by ``tokenizer``, a spaCy tokenizer or a pipeline that has one.

    Raises:
        GazetteerError: a source is missing, or no usable name was found.
    """
    target = Path(target)
    for path in paths:
        if not path.is_file():
            raise GazetteerError(f"{path}: there is no such source file")
        if target.exists() and target.samefile(path):
            raise GazetteerError(f"{path}: is read, and would be replaced; choose another -o")
    identity = TokenizerIdentity.of(tokenizer)
    folder = target.with_name(target.name + ".building")
    shards = _Shards(folder, _signature(reader, paths, recipe, identity))
    damage = Damage()
    tokens = NameTokens(tokenizer)
    for number, path in enumerate(paths):
        _read(reader, path, f"{number}:{path.name}", shards, damage, tokens, recipe)
    header = index.Header(
        subsets=recipe.subsets,
        labels=(),
        tokenizer=identity,
        names=0,
        longest=recipe.longest,
        sources=recipe.sources or ((reader.source,) if reader.source else ()),
        licence=recipe.licence or reader.licence,
        command=recipe.command,
    )
    if not shards.count:
        shutil.rmtree(folder, ignore_errors=True)
        first = f" (damaged: {damage.count}; first: {damage.first[0]})" if damage.first else ""
        raise GazetteerError(
            f"{', '.join(map(str, paths))}: no usable name was found{first}. Is it of this format?"
        )
    header, arrays = _compile(shards.rows(), list(shards.kinds), reader, recipe, header)
    with atomic_write_bytes(target) as file:
        index.write(file, header, arrays)
    shutil.rmtree(folder)
    return Built(header=index.Gazetteer.open(target).header, damage=damage, path=target)


def build_in_memory(
    entries: Sequence[Entry], *, tokenizer: Any, recipe: Recipe | None = None
) -> index.Gazetteer:
    """Compile a short list of entries whose kinds are labels, without a file.

    >>> import spacy
    >>> cities = [Entry("Oslo", "GPE"), Entry("New York", "GPE")]
    >>> len(build_in_memory(cities, tokenizer=spacy.blank("en")))
    2
    """
    recipe = recipe or Recipe(subsets=("names",))
    kinds: dict[str, int] = {}
    rows = _rows(entries, kinds, NameTokens(tokenizer), recipe)
    header = index.Header(
        subsets=recipe.subsets,
        labels=(),
        tokenizer=TokenizerIdentity.of(tokenizer),
        names=0,
        longest=recipe.longest,
        sources=recipe.sources,
        licence=recipe.licence,
        command=recipe.command,
    )
    header, arrays = _compile([rows], list(kinds), None, recipe, header)
    return index.Gazetteer(path=None, header=header, **arrays)


def _read(
    reader: Reader,
    path: Path,
    source: str,
    shards: _Shards,
    damage: Damage,
    tokens: NameTokens,
    recipe: Recipe,
) -> None:
    waiting: list[Entry] = []
    last = shards.lines.get(source, 0)
    for line, entry in reader.entries(path, damage, skip=last):
        # Only whole lines are filed, so that going on after a line repeats and misses nothing.
        if len(waiting) >= _NAMES_PER_SHARD and line != last:
            shards.add(_rows(waiting, shards.kinds, tokens, recipe), source, last)
            waiting = []
        last = line
        waiting.append(entry)
    if waiting:
        shards.add(_rows(waiting, shards.kinds, tokens, recipe), source, last)


def _rows(
    entries: Sequence[Entry], kinds: dict[str, int], tokens: NameTokens, recipe: Recipe
) -> Rows:
    forms, numbers, weights, marked = [], [], [], []
    clean = recipe.cleaning.forms
    for name, kind, weight, mark in entries:
        number = kinds.setdefault(kind, len(kinds))
        for form in clean(name, recipe.kinds.get(kind) or kind):
            forms.append(form)
            numbers.append(number)
            weights.append(weight)
            marked.append(mark)
    lengths, cased, folded = tokens.split(forms)
    return rows_of_names(
        lengths,
        cased,
        folded,
        np.array(numbers, dtype=np.uint32),
        np.array(weights, dtype=np.float32),
        np.array(marked, dtype=bool),
        recipe.longest,
    )


def _compile(
    rows: Sequence[Rows],
    kinds: Sequence[str],
    reader: Reader | None,
    recipe: Recipe,
    header: index.Header,
) -> tuple[index.Header, dict[str, np.ndarray]]:
    named = [_label(kind, reader, recipe) for kind in kinds]
    labels = tuple(sorted({label for label in named if label}))
    numbers = {label: number for number, label in enumerate(labels)}
    label_of_kind = np.array([numbers.get(label or "", -1) for label in named], dtype=np.int64)
    total = sum(len(shard.keys) for shard in rows)
    with Task("merging names", total=total) as task:
        arrays = compile_rows(
            rows, label_of_kind, subsets=len(recipe.subsets), progress=task.advance
        )
    header = replace(header, labels=labels, names=len(arrays["keys"]))
    return replace(header, per_label=_per_label(header, arrays)), arrays


def _label(kind: str, reader: Reader | None, recipe: Recipe) -> str | None:
    if kind in recipe.kinds:
        return recipe.kinds[kind] or None
    return reader.label_of(kind) if reader else kind


def _per_label(header: index.Header, arrays: Mapping[str, np.ndarray]) -> dict[str, dict[str, int]]:
    spellings = np.bincount(arrays["cased"], minlength=len(arrays["meaning_bounds"]))
    counts: dict[str, dict[str, int]] = {}
    for subset, name in enumerate(header.subsets):
        tally = np.zeros(len(header.labels), dtype=np.int64)
        for meaning, bounds in enumerate(arrays["meaning_bounds"].tolist()):
            items = arrays["meaning_labels"][bounds[subset] : bounds[subset + 1]]
            tally[items] += spellings[meaning]
        counts[name] = {
            label: int(count)
            for label, count in zip(header.labels, tally.tolist(), strict=True)
            if count
        }
    return counts


def _signature(
    reader: Reader, paths: Sequence[Path], recipe: Recipe, identity: TokenizerIdentity
) -> str:
    """Return what must be the same for unfinished work to be of use."""
    files: Iterator[tuple[str, int, int]] = (
        (str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths
    )
    text = repr((type(reader).__qualname__, vars(reader), list(files), recipe, identity))
    return hashlib.sha256(text.encode()).hexdigest()
