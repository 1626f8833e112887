"""From an experiment and the place of its data to a project that can be run, in a work folder.

The experiment's ``silverspan.toml`` is copied; gazetteers are compiled from name lists and added to
it; the corpus is linked, or written from sentences with gold and raw text.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from glob import glob
from itertools import groupby
from pathlib import Path
from typing import Any

from silverspan.corpus import jsonl
from silverspan.corpus.files import atomic_write
from silverspan.corpus.pipelines import load_pipeline
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import GazetteerError, InputError
from silverspan.labelling.gazetteers import Gazetteer, Recipe, build, readers
from silverspan.workspace.fingerprint import fingerprint


def project(home: Path, work: Path, settings: Mapping[str, Any], data: Path | None) -> None:
    """Write the project file, with the gazetteers that can be made from the data."""
    names = [
        name
        for name, patterns in settings.get("gazetteers", {}).items()
        if _gazetteer(name, found(data, patterns), work / "gazetteers")
    ]
    text = (home / "silverspan.toml").read_text(encoding="utf-8")
    if names:
        text += "\n[functions.gazetteers]\n"
        text += "".join(f'{name} = "gazetteers/{name}.gaz"\n' for name in names)
    with atomic_write(work / "silverspan.toml") as out:
        out.write(text)


def _gazetteer(name: str, sources: Sequence[Path], folder: Path) -> bool:
    """Compile a gazetteer unless it was made from just these files; say whether it is there."""
    if not sources:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    target, note = folder / f"{name}.gaz", folder / f"{name}.made_from"
    made_from = fingerprint([(path.name, path.stat().st_size) for path in sources])
    known = note.is_file() and note.read_text() == made_from
    if not (known and _opens(target)):
        tokenizer = load_pipeline("blank:en").tokenizer
        recipe = Recipe(subsets=(name,))
        build(readers["labels"]({}), sources, target, tokenizer=tokenizer, recipe=recipe)
        note.write_text(made_from)
    return True


def _opens(path: Path) -> bool:
    """Whether a gazetteer is whole and of this release."""
    try:
        Gazetteer.open(path)
    except GazetteerError:
        return False
    return True


def found(data: Path | None, patterns: Iterable[str]) -> list[Path]:
    """Return the files under the data folder that fit the patterns."""
    if data is None:
        return []
    return [Path(path) for pattern in patterns for path in sorted(glob(str(data / pattern)))]


def corpus_files(
    settings: Mapping[str, Any], data: Path | None, named: Sequence[Path]
) -> list[Path]:
    """Return the files of the corpus: those named, or those that the data folder has.

    Raises:
        InputError: there are none.
    """
    files = list(named) or found(data, settings["corpus"]["files"])
    if not files:
        wanted = ", ".join(settings["corpus"]["files"])
        raise InputError(f"there is no corpus: say --data DIR with {wanted}, or --corpus FILE...")
    return files


def link_corpus(files: Sequence[Path], work: Path) -> dict[str, range]:
    """Put files into the project; return which documents each holds, by its name.

    Raises:
        InputError: a file is missing.
    """
    folder = _empty(work / "corpus")
    for path in files:
        if not path.is_file():
            raise InputError("there is no such file", path=path)
        (folder / path.name).symlink_to(path.resolve())
    parts: dict[str, range] = {}
    first = 0
    for path in sorted(folder.iterdir()):
        count = sum(1 for _ in read_records(path, "conll"))
        parts[path.name.split(".conll")[0]] = range(first, first + count)
        first += count
    return parts


def write_sentences(gold: Path, text: Path | None, work: Path) -> None:
    """Write the project's corpus from sentences with gold, and raw text to learn more from.

    Sentences that name the same ``doc`` are put together in their order, so that document-level
    functions see what stood together. Sentences without gold are raw text.
    """
    records = list(read_records(gold))
    labelled = [record for record in records if record.gold is not None]
    if not labelled:
        raise InputError("no sentence has gold", path=gold)
    bare = [record for record in records if record.gold is None]
    bare += [] if text is None else list(read_records(text))
    together = [
        _joined(list(group), f"gold-{number}")
        for number, (_, group) in enumerate(groupby(labelled, key=_document))
    ]
    unlabelled = [
        replace(record, id=f"text-{number}", number=None, group=None, gold=None)
        for number, record in enumerate(bare)
    ]
    folder = _empty(work / "corpus")
    jsonl.write([*together, *unlabelled], folder / "corpus.jsonl")


def _document(record: Record) -> object:
    return ("alone", record.id) if record.group is None else ("doc", record.group)


def _joined(records: Sequence[Record], name: str) -> Record:
    """Return sentences as one document."""
    first = records[0]
    if any((record.tokens is None) != (first.tokens is None) for record in records):
        raise InputError(f"document {first.group!r} has sentences with and without tokens")
    gold, starts, offset = [], [], 0
    for record in records:
        gold += [(start + offset, end + offset, label) for start, end, label in record.gold or ()]
        starts.append(offset)
        # Texts are joined by a line break.
        offset += len(record.text or "") + 1 if record.tokens is None else len(record.tokens)
    if first.tokens is None:
        text = "\n".join(record.text or "" for record in records)
        return Record(id=name, text=text, gold=tuple(gold), gold_unit="characters")
    spaces = [record.spaces or (True,) * len(record.tokens or ()) for record in records]
    return Record(
        id=name,
        tokens=tuple(token for record in records for token in record.tokens or ()),
        spaces=tuple(space for each in spaces for space in each),
        sentence_starts=tuple(starts),
        gold=tuple(gold),
    )


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
