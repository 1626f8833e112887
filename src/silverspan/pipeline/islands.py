"""The islands of a corpus that no memory need hold: from the votes of shards to the HMM's sums.

Workers gather the distinct islands of some shards at a time and write them, split by the first
bits of their keys (``islands/``). Then each part is put together from all groups, once
(``parts/``), and held by the engine while the model is fitted. Only sums come here. Appended
documents change the last group alone.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final

from silverspan.aggregation.hmm import FittedHmm, Hmm
from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.frame import Evidence, Frame
from silverspan.aggregation.hmm.gathered import Gathered, evidence_of, islands_of
from silverspan.aggregation.hmm.model import make_frame
from silverspan.aggregation.hmm.sums import Sums
from silverspan.observations.distinct import Between, merge, parts_for
from silverspan.observations.islands_file import (
    between_from_bytes,
    between_to_bytes,
    from_bytes,
    to_bytes,
)
from silverspan.pipeline.annotated import Annotated
from silverspan.pipeline.state import Run
from silverspan.progress import track
from silverspan.workspace.fingerprint import fingerprint, of_code
from silverspan.workspace.store import Store

#: Shards are gathered together up to so many tokens: few files, and a bounded memory.
GROUP: Final = 1 << 21
#: Islands that need more bytes than this are loaded for every round anew.
KEPT: Final = 600_000_000
_GROUPS, _PARTS = "islands/", "parts/"


def fit(run: Run, model: Hmm, shards: Sequence[Annotated], made: str) -> FittedHmm:
    """Return the model fitted to the votes of all shards, wherever the engine holds them.

    ``made`` is the fingerprint of the votes.
    """
    where = "second/" if shards[0].second else ""
    parts = parts_for(sum(shard.work.shard.tokens for shard in shards))
    groups = [
        Group(name=f"{where}{_GROUPS}{number:05d}", model=model, parts=parts, shards=own, made=made)
        for number, own in enumerate(_grouped(shards))
    ]
    todo = [group for group in groups if not run.kept.is_fresh(group.name, group.fingerprint)]
    list(track(run.engine.map(gather_group, todo), "islands", total=len(todo)))
    tables = [
        Part(
            store=run.kept,
            name=f"{where}{_PARTS}{number:05d}.npz",
            number=number,
            groups=tuple(group.name for group in groups),
            fingerprint=fingerprint(number, [group.fingerprint for group in groups]),
        )
        for number in range(parts)
    ]
    todo_parts = [part for part in tables if not run.kept.is_fresh(part.name, part.fingerprint)]
    list(track(run.engine.map(join_part, todo_parts), "distinct islands", total=len(todo_parts)))
    for prefix, wanted in ((_GROUPS, groups), (_PARTS, tables)):
        for name in {*run.kept.names(where + prefix)} - {one.name for one in wanted}:
            run.kept.remove(name)
    looks, between = _between(run.kept, groups)
    frame = make_frame(model, run.project.space, tuple(run.declared), looks)
    size = sum(run.kept.note(part.name)["bytes"] for part in tables)
    held = run.engine.hold(partial(load_part, frame, parts == 1), tables, keep=size <= KEPT)
    try:
        gathered = Gathered(
            functions=tuple(run.declared),
            space=run.project.space,
            looks=looks,
            between=between,
            sums=Sums(held=held),
        )
        return model.fit_gathered(gathered, frame)
    finally:
        held.release()


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Neighbouring shards whose islands are gathered together."""

    name: str
    model: Hmm
    parts: int
    shards: tuple[Annotated, ...]
    made: str

    @property
    def fingerprint(self) -> str:
        """What its file is made from."""
        return fingerprint(
            of_code("aggregation/hmm", "observations", "labels", "tagging"),
            self.made if self.shards[0].second else "",
            [self.model.scheme, self.model.constraint, self.model.coarse],
            dict(self.model.features),
            [self.shards[0].space.outputs, self.shards[0].space.finer, self.shards[0].space.coarse],
            [list(item) for item in self.shards[0].declared.items()],
            self.parts,
            [shard.work.fingerprint for shard in self.shards],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """The islands of all groups whose keys begin alike."""

    store: Store
    name: str
    number: int
    groups: tuple[str, ...]
    fingerprint: str


def gather_group(group: Group) -> None:
    """Write the distinct islands of some shards, one table for each part, in one file."""
    tables, between, looks = [], [], None
    for shard in group.shards:
        votes, frame = group.model.prepare(shard.votes())
        found = islands_of(votes, frame)
        tables.append(found.table)
        between.append(found.between)
        looks = Looks.of(votes.features)
    blobs = [between_to_bytes(reduce(Between.plus, between))]
    blobs += [to_bytes(table) for table in merge(tables).split(group.parts)]
    index, first = [], 0
    for blob in blobs:
        index.append([first, len(blob), hashlib.sha256(blob).hexdigest()])
        first += len(blob)
    note = {"index": index, "looks": None if looks is None else [looks.names, looks.sizes]}
    store = group.shards[0].work.store
    store.write(group.name, group.fingerprint, b"".join(blobs), note)


def join_part(part: Part) -> None:
    """Write one part of the islands of all groups as one table."""
    table = merge(
        [
            from_bytes(part.store.read_part(name, *_index(part.store, name)[1 + part.number]), name)
            for name in part.groups
        ]
    )
    # What packed islands take in memory: an entry has five numbers, a row its place and features.
    entries = len(table.function) / max(len(table.pattern_key), 1)
    row = 40 * entries + table.asked.shape[1] + 4 * table.ids.shape[1] + 32
    note = {"bytes": int(len(table.pattern) * row)}
    part.store.write(part.name, part.fingerprint, to_bytes(table), note)


def load_part(frame: Frame, keep: bool, part: Part) -> tuple[Evidence, ...]:
    """Return the evidence of one part."""
    return evidence_of(frame, keep, from_bytes(part.store.read(part.name), part.name))


def _index(store: Store, name: str) -> list[tuple[int, int, str]]:
    index: list[tuple[int, int, str]] = store.note(name)["index"]
    return index


def _between(store: Store, groups: Sequence[Group]) -> tuple[Looks | None, Between]:
    def each() -> Iterator[Between]:
        for group in groups:
            content = store.read_part(group.name, *_index(store, group.name)[0])
            yield between_from_bytes(content, group.name)

    known: Any = store.note(groups[0].name)["looks"]
    looks = None if known is None else Looks(names=tuple(known[0]), sizes=tuple(known[1]))
    return looks, reduce(Between.plus, each())


def _grouped(shards: Sequence[Annotated]) -> Iterator[tuple[Annotated, ...]]:
    """Yield neighbouring shards, cut from the front, so that appended ones change the end alone."""
    own: list[Annotated] = []
    tokens = 0
    for shard in shards:
        size = shard.work.shard.tokens
        if own and tokens + size > GROUP:
            yield tuple(own)
            own, tokens = [], 0
        own.append(shard)
        tokens += size
    yield tuple(own)
