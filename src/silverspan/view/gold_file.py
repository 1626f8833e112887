"""The gold file that adjudication writes: JSON lines in the votes format, with every decision.

A document counts as gold (it has the key ``gold``) once its review is finished; who decided what
and when stands under ``review``. Lines of others are left as they are, and come back when all that
was decided about their document is undone. Every change is on disk, whole, before it is answered.
"""

import getpass
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from silverspan.corpus.files import atomic_write, read_lines
from silverspan.corpus.json_lines import JsonObject, read_objects, to_json
from silverspan.corpus.jsonl import to_record
from silverspan.corpus.reading import read_records
from silverspan.corpus.record import Record
from silverspan.errors import InputError
from silverspan.project import Project
from silverspan.view.review import Action, Review, Span, Verb, last_number


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """The document that a line of the gold file is about."""

    id: str | int
    tokens: tuple[str, ...]
    spaces: tuple[bool, ...]


@dataclass(kw_only=True, slots=True)
class _Entry:
    """A line of the file: as somebody else wrote it, and what was decided since."""

    line: str | None = None
    record: Record | None = None
    words: dict[str, Any] = field(default_factory=dict)
    review: Review | None = None


def _is_json_lines(path: Path) -> bool:
    return path.suffix == ".jsonl" or path.suffixes[-2:] == [".jsonl", ".gz"]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def user() -> str:
    """Return who works here, as the system knows them."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user: a bare container
        return "unknown"


class GoldFile:
    """Gold by document id, and the decisions that lead to it.

    ``base`` is gold in another file, of any format, which is read and never written.

    Raises:
        InputError: a file is damaged, or the one to be written is not JSON lines.
    """

    def __init__(
        self,
        path: Path,
        *,
        base: Path | None = None,
        by: str | None = None,
        clock: Callable[[], str] = _now,
    ) -> None:
        self.path = path
        self.by = user() if by is None else by
        self.revision = 0
        self._clock = clock
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._seen: tuple[int, int] | None = None
        if not _is_json_lines(path):
            raise InputError(
                "gold is written as JSON lines: name a file that ends in .jsonl with --gold",
                path=path,
            )
        records = () if base is None else read_records(base)
        self._base = {record.id: record for record in records if record.gold is not None}
        self._read()

    @classmethod
    def of(cls, project: Project, path: Path | None = None, *, by: str | None = None) -> "GoldFile":
        """Return the gold file of a project: the one it names, if it can be written, or another.

        Raises:
            InputError: a file is damaged, or the one to be written is not JSON lines.
        """
        named = project.gold_path
        if path is None:
            is_usable = named is not None and _is_json_lines(named)
            path = named if is_usable and named else project.directory / "gold.jsonl"
        return cls(path, base=None if path == named else named, by=by)

    def record(self, name: str) -> Record | None:
        """Return the gold that somebody else wrote of a document, if there is any."""
        entry = self._entries.get(name)
        if entry is None or entry.record is None or entry.record.gold is None:
            return self._base.get(name)
        return entry.record

    def review(self, name: str) -> Review | None:
        """Return what was decided here about a document, if anything was."""
        entry = self._entries.get(name)
        return None if entry is None else entry.review

    def reviews(self) -> Mapping[str, Review]:
        """Return all that was decided, by document."""
        found = {name: entry.review for name, entry in self._entries.items()}
        return {name: review for name, review in found.items() if review is not None}

    def finished(self) -> set[str]:
        """Return the documents that have gold in this file."""
        found = set(self._base)
        for name, entry in self._entries.items():
            if entry.review is None:
                if entry.record is not None and entry.record.gold is not None:
                    found.add(name)
            elif entry.review.judgement().finished:
                found.add(name)
            else:
                found.discard(name)
        return found

    def act(
        self,
        words: Words,
        verb: Verb,
        spans: Sequence[Span] = (),
        *,
        instead: Span | None = None,
        given: tuple[Span, ...] | None = None,
    ) -> None:
        """Decide something about a document; ``given`` is the gold it had from elsewhere.

        Raises:
            InputError: the file cannot be written; then nothing is decided.
        """
        with self._lock:
            self._refresh()
            name = str(words.id)
            old = self._entries.get(name, _Entry())
            review = old.review or Review(given=given)
            action = Action(
                number=last_number(self.reviews().values()) + 1,
                verb=verb,
                spans=tuple(spans),
                instead=instead,
                by=self.by,
                at=self._clock(),
            )
            entry = _Entry(
                line=old.line,
                record=old.record,
                words=_fields(words),
                review=replace(review, actions=(*review.actions, action)),
            )
            self._write({**self._entries, name: entry})

    def undo(self) -> str | None:
        """Take the last decision of all back and return its document; None: there is none.

        Raises:
            InputError: the file cannot be written; then nothing is taken back.
        """
        with self._lock:
            self._refresh()
            reviews = self.reviews()
            last = last_number(reviews.values())
            name = next(
                (n for n, r in reviews.items() if any(a.number == last for a in r.actions)), None
            )
            if name is None:
                return None
            old = self._entries[name]
            actions = tuple(a for a in reviews[name].actions if a.number != last)
            entries = dict(self._entries)
            if actions:
                review = replace(reviews[name], actions=actions)
                entries[name] = _Entry(
                    line=old.line, record=old.record, words=old.words, review=review
                )
            elif old.line is not None:
                entries[name] = _Entry(line=old.line, record=old.record)
            else:
                del entries[name]
            self._write(entries)
            return name

    def _write(self, entries: dict[str, _Entry]) -> None:
        with atomic_write(self.path) as out:
            for entry in entries.values():
                out.write((_line(entry) if entry.review is not None else entry.line or "") + "\n")
        self._entries = entries
        self._seen = self._stamp()
        self.revision += 1

    def _stamp(self) -> tuple[int, int] | None:
        try:
            known = self.path.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size

    def _refresh(self) -> None:
        """Read the file again if somebody else wrote it."""
        if self._stamp() != self._seen:
            self._read()
            self.revision += 1

    def _read(self) -> None:
        self._seen = self._stamp()
        entries: dict[str, _Entry] = {}
        if self._seen is not None:
            lines = dict(read_lines(self.path))
            for item, record in zip(
                read_objects(self.path), read_records(self.path, "jsonl"), strict=True
            ):
                entry = _Entry(line=lines[item.line], record=record)
                kept = item.fields.get("review")
                if kept is not None:
                    try:
                        entry = _reviewed(item.fields)
                    except (ValueError, KeyError, TypeError, AttributeError) as error:
                        raise item.error(f'"review" is damaged ({error})') from None
                entries[record.id] = entry
        self._entries = entries


def _fields(words: Words) -> dict[str, Any]:
    spaces = "".join("1" if space else "0" for space in words.spaces)
    return {"id": words.id, "tokens": list(words.tokens), "spaces": spaces}


def _line(entry: _Entry) -> str:
    review = entry.review or Review()
    judged = review.judgement()
    fields = dict(entry.words)
    if judged.finished:
        fields["gold"] = [list(span) for span in judged.gold]
    fields["weak"] = {}
    fields["review"] = {
        "given": None if review.given is None else [list(span) for span in review.given],
        "line": entry.line,
        "actions": [action.to_json() for action in review.actions],
    }
    return to_json(fields)


def _reviewed(fields: dict[str, Any]) -> _Entry:
    """Return the entry that a line of ours holds."""
    kept = fields["review"]
    given = kept["given"]
    line = kept["line"]
    record = None
    if line is not None:
        record = to_record(JsonObject("", 0, json.loads(line)))
    return _Entry(
        line=line,
        record=record,
        words={key: fields[key] for key in ("id", "tokens", "spaces")},
        review=Review(
            given=None if given is None else tuple((int(a), int(b), str(c)) for a, b, c in given),
            actions=tuple(map(Action.from_json, kept["actions"])),
        ),
    )
