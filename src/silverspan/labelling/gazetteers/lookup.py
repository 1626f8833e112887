"""Everything gazetteers know of a text: every name in it, overlapping ones too, unsieved."""

from collections.abc import Mapping
from dataclasses import dataclass

from spacy.tokens import Doc

from silverspan.labelling.gazetteers.family import find_all
from silverspan.labelling.gazetteers.index import Gazetteer, Meaning


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One name in a text: tokens ``start`` to ``end`` (half-open), and what it may mean.

    ``cased`` is empty if no spelling with this case is known.
    """

    text: str
    start: int
    end: int
    gazetteer: str
    cased: Meaning
    uncased: Meaning


def look_up(doc: Doc, gazetteers: Mapping[str, Gazetteer]) -> list[Found]:
    """Return every name of named gazetteers in a document, by start, longest first.

    >>> import spacy
    >>> from silverspan.labelling.gazetteers import Entry, build_in_memory
    >>> nlp = spacy.blank("en")
    >>> places = build_in_memory([Entry("York", "GPE"), Entry("New York", "GPE")], tokenizer=nlp)
    >>> [found.text for found in look_up(nlp("in new York"), {"places": places})]
    ['new York', 'York']
    """
    found = []
    for gazetteer in gazetteers.values():
        for start, end, cased, uncased in find_all(gazetteer, doc):
            for number, subset in enumerate(gazetteer.header.subsets):
                with gazetteer.searched():
                    meanings = gazetteer.meanings[number]
                    known = meanings[uncased]
                    exact = () if cased is None else meanings[cased]
                if known:
                    found.append(
                        Found(
                            text=doc[start:end].text,
                            start=start,
                            end=end,
                            gazetteer=subset,
                            cased=exact,
                            uncased=known,
                        )
                    )
    return sorted(found, key=lambda one: (one.start, -one.end, one.gazetteer))
