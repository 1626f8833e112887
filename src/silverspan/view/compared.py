"""Where this run and another differ: counts by label, and documents, the most different first."""

from collections import Counter
from dataclasses import dataclass

from silverspan.view.earlier import DIFFERENCES, WeightedSpan, count, differences
from silverspan.view.library import Library

_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One span that differs, with the words around it."""

    kind: str
    here: str
    there: str
    place: str
    before: str
    text: str
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """All differences; ``documents`` are numbers with the differences of one label, or of all."""

    name: str
    same: int
    missing: int  # documents that the other run did not have
    counts: Counter[tuple[str, str]]
    documents: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    kinds: tuple[str, ...] = DIFFERENCES
    label: str = ""

    def shown(self, library: Library, page: slice) -> list[tuple[int, str, int, list[Difference]]]:
        """Return documents with number, id, how many differences, and the first of them."""
        found = []
        for number, size in self.documents[page]:
            name = library.index.ids[number].as_py()
            there = _there(library, number) or ()
            parts = [
                _shown(library, number, *one)
                for one in differences(library.silver_of(number), there)
                if _fits(one, self.label)
            ]
            found.append((number, name, size, parts[:_SHOWN]))
        return found


def compared(library: Library, label: str = "") -> Compared | None:
    """Return how the spans of this run differ from those of the other; None: there is no other."""
    if library.earlier is None:
        return None
    name = library.earlier.name

    def find() -> Compared:
        counts: Counter[tuple[str, str]] = Counter()
        documents = []
        same = missing = 0
        for number in range(len(library)):
            there = _there(library, number)
            if there is None:
                missing += 1
                continue
            here = library.silver_of(number)
            found = differences(here, there)
            same += len(here) - sum(1 for _, mine, _ in found if mine is not None)
            counts.update(count(found))
            if size := sum(_fits(one, label) for one in found):
                documents.append((number, size))
        return Compared(
            name=name,
            same=same,
            missing=missing,
            counts=counts,
            documents=tuple(sorted(documents, key=lambda pair: (-pair[1], pair[0]))),
            labels=tuple(dict.fromkeys([*library.labels, *sorted(key for key, _ in counts)])),
            label=label,
        )

    return library.once(f"compared {label}", 0, find)


def _there(library: Library, number: int) -> tuple[WeightedSpan, ...] | None:
    assert library.earlier is not None
    return library.earlier.spans(
        library.index.ids[number].as_py(), int(library.index.tokens[number])
    )


def _fits(one: tuple[str, WeightedSpan | None, WeightedSpan | None], label: str) -> bool:
    return not label or any(span is not None and span[2] == label for span in one[1:])


def _shown(
    library: Library,
    number: int,
    kind: str,
    here: WeightedSpan | None,
    there: WeightedSpan | None,
) -> Difference:
    span = here or there or (0, 1, "", 0.0)
    before, text, after = library.snippet(number, span[0], span[1])
    return Difference(
        kind=kind,
        here="" if here is None else here[2],
        there="" if there is None else there[2],
        place=f"{span[0]}-{span[1]}",
        before=before,
        text=text,
        after=after,
    )
