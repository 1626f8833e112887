"""What the pages show: the index in memory, single documents and their votes from disk."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import Any, TypeVar

import numpy as np
import pyarrow.compute as pc
from jaxtyping import Bool, Int64
from numpy import ndarray
from spacy.tokens import Doc

from silverspan.aggregation.aggregator import Fitted, load
from silverspan.aggregation.posterior import Posterior
from silverspan.corpus.document import gold_spans, original_id
from silverspan.labelling.function import Proposal
from silverspan.observations.features import token_features
from silverspan.observations.votes import Votes
from silverspan.pipeline.aggregate import MODEL
from silverspan.pipeline.gold import laid_over
from silverspan.pipeline.state import Run
from silverspan.report.pictures import Layer
from silverspan.view.earlier import Earlier, remember
from silverspan.view.finding import Filter, find
from silverspan.view.gold_file import GoldFile, Words
from silverspan.view.index import Index, index_of
from silverspan.view.review import Judgement, Review, Span, open_spans
from silverspan.workspace import corpus_shards
from silverspan.workspace.vote_shard import VoteShard
from silverspan.workspace.vote_shard import from_bytes as read_votes

_CACHED_SHARDS = 6

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One document in the list."""

    number: int
    id: str
    beginning: str
    tokens: int
    spans: int
    labels: tuple[str, ...]
    uncertainty: float  # expected wrong tokens: probability missing from the most probable label
    conflict: int  # tokens with votes for more than one label
    state: str  # of its review: "", "begun" or "finished"


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentPage:
    """One document with its layers; ``breaks`` are the tokens that begin a sentence."""

    row: Row
    tokens: tuple[str, ...]
    spaces: tuple[bool, ...]
    breaks: tuple[int, ...]
    layers: tuple[Layer, ...]
    silver: tuple[Proposal, ...]
    judgement: Judgement


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Shard:
    docs: list[Doc]
    posterior: Posterior
    said: VoteShard


class Library:
    """The documents of a finished run, and what is decided about them."""

    def __init__(
        self, run: Run, *, gold: GoldFile | None = None, earlier: Earlier | None = None
    ) -> None:
        self._run = run
        self.title = run.project.settings.project.name
        self.labels = run.project.space.outputs
        self.functions = tuple(run.declared)
        self.groups = {function.name: function.group or "own" for function in run.functions}
        self.declared = run.declared
        self.project = run.project
        self.index: Index = index_of(run)
        self.gold = gold or GoldFile.of(run.project)
        self.earlier = earlier
        self._first = np.cumsum([0, *(shard.documents for shard in run.shards)])
        self._shards: OrderedDict[int, _Shard] = OrderedDict()
        self._lock = RLock()
        self._numbers: dict[str, int] | None = None
        self._kept: dict[str, tuple[Any, Any]] = {}

    def __len__(self) -> int:
        return len(self.index)

    # The list ----------------------------------------------------------------------------------

    def find(self, wanted: Filter) -> Int64[ndarray, " found"]:
        """Return the numbers of the documents that pass a filter, in its order."""
        begun, finished = self._reviewed()
        return find(self.index, wanted, self.labels, self.functions, begun, finished)

    def _reviewed(self) -> tuple[Bool[ndarray, " documents"], Bool[ndarray, " documents"]]:
        """Return which documents somebody has begun to judge, and which have gold."""

        def look() -> tuple[ndarray, ndarray]:
            begun = np.zeros(len(self), dtype=bool)
            finished = np.zeros(len(self), dtype=bool)
            if self.project.gold_path is None:
                finished |= self.index.has_gold
            known = self.gold.finished()
            for name, review in self.gold.reviews().items():
                if (number := self.number_of(name)) is not None:
                    begun[number] = bool(review.actions)
                    finished[number] = name in known
            for name in known:
                if (number := self.number_of(name)) is not None:
                    finished[number] = True
            return begun, finished

        return self.once("reviewed", self.gold.revision, look)

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """Return the rows of some documents."""
        begun, finished = self._reviewed()
        index = self.index
        rows = []
        for number in map(int, numbers):
            low, high = np.searchsorted(index.spans.document, [number, number + 1])
            rows.append(
                Row(
                    number=number,
                    id=index.ids[number].as_py(),
                    beginning=pc.utf8_slice_codeunits(index.texts[number], 0, 200).as_py(),
                    tokens=int(index.tokens[number]),
                    spans=int(high - low),
                    labels=tuple(self.labels[i] for i in np.flatnonzero(index.has_label[number])),
                    uncertainty=float(index.uncertainty[number]),
                    conflict=int(index.conflict[number]),
                    state="finished" if finished[number] else "begun" if begun[number] else "",
                )
            )
        return rows

    def finished(self) -> list[int]:
        """Return the documents that have gold."""
        return [int(number) for number in np.flatnonzero(self._reviewed()[1])]

    def number_of(self, name: str) -> int | None:
        """Return the number of the document with an id."""
        if self._numbers is None:
            self._numbers = {name: i for i, name in enumerate(self.index.ids.to_pylist())}
        return self._numbers.get(name)

    def next_after(self, number: int | None) -> int | None:
        """Return the unfinished document most worth a look, but for one; None: all are done."""
        for other in self.find(Filter(state="open", order="value")):
            if other != number:
                return int(other)
        return None

    # One document ------------------------------------------------------------------------------

    def document(self, number: int) -> DocumentPage:
        """Return one document with all its layers."""
        shard, within = self._place(number)
        doc = shard.docs[within]
        judged = self.review_of(number).judgement()
        silver = tuple(shard.posterior.spans.of(within))
        layers = [Layer(name="silver", kind="silver", spans=silver)]
        if judged.accepted or judged.finished:
            gold = tuple((start, end, label, 1.0) for start, end, label in judged.gold)
            layers.insert(0, Layer(name="gold", kind="gold", spans=gold))
        if self.earlier is not None:
            known = self.earlier.spans(self.index.ids[number].as_py(), len(doc))
            if known is not None:
                layers.append(Layer(name=self.earlier.name, kind="earlier", spans=tuple(known)))
        layers += [
            Layer(name=function, kind="function", spans=tuple(spans))
            for function, spans in shard.said.labelled[within].proposals.items()
            if function in self.groups
        ]
        has_sentences = doc.has_annotation("SENT_START")
        return DocumentPage(
            row=self.rows([number])[0],
            tokens=tuple(token.text for token in doc),
            spaces=tuple(bool(token.whitespace_) for token in doc),
            breaks=tuple(sent.start for sent in doc.sents) if has_sentences else (0,),
            layers=tuple(layers),
            silver=silver,
            judgement=judged,
        )

    def words_of(self, number: int) -> Words:
        """Return a document as the gold file keeps it."""
        shard, within = self._place(number)
        doc = shard.docs[within]
        return Words(
            id=original_id(doc),
            tokens=tuple(token.text for token in doc),
            spaces=tuple(bool(token.whitespace_) for token in doc),
        )

    def review_of(self, number: int) -> Review:
        """Return what is decided about a document; without any decision, the gold it had."""
        name = self.index.ids[number].as_py()
        review = self.gold.review(name)
        return Review(given=self.given(number)) if review is None else review

    def judged(self, number: int) -> tuple[Words, Judgement]:
        """Return a document that has gold, and its gold; what scoring needs again and again."""
        words, given = self.once(
            f"judged {number}", 0, lambda: (self.words_of(number), self.given(number))
        )
        review = self.gold.review(self.index.ids[number].as_py()) or Review(given=given)
        return words, review.judgement()

    def given(self, number: int) -> tuple[Span, ...] | None:
        """Return the gold that a document had before anybody judged it here, or None."""
        shard, within = self._place(number)
        record = self.gold.record(self.index.ids[number].as_py())
        if record is not None:
            return tuple(laid_over(record, shard.docs[within]))
        if self.project.gold_path is None and (known := gold_spans(shard.docs[within])) is not None:
            return tuple(known)
        return None

    def open_spans(self, number: int) -> list[Span]:
        """Return the spans of silver in a document that nobody has decided about."""
        judged = self.review_of(number).judgement()
        return open_spans(judged, [span[:3] for span in self.silver_of(number)])

    def silver_of(self, number: int) -> list[Proposal]:
        """Return the spans of the label model in a document."""
        return list(self.index.spans.of(number))

    def posterior_of(self, number: int) -> ndarray:
        """Return the distribution over "O" and the labels at every token of a document."""
        shard, within = self._place(number)
        return shard.posterior.probabilities(within)

    def votes_of(self, number: int) -> Votes:
        """Return the votes on one document, with the features of its tokens."""
        shard, within = self._place(number)
        lone = VoteShard(
            documents=(shard.said.documents[within],),
            lengths=(shard.said.lengths[within],),
            functions=shard.said.functions,
            labelled=(shard.said.labelled[within],),
        )
        words = [[token.text for token in shard.docs[within]]]
        return lone.votes(self.project.space, self.declared, token_features(words))

    def snippet(self, number: int, start: int, end: int, around: int = 6) -> tuple[str, str, str]:
        """Return what stands before a span, the span, and what comes after."""
        doc = self._place(number)[0].docs[self._place(number)[1]]
        return (
            doc[max(start - around, 0) : start].text_with_ws,
            doc[start:end].text,
            doc[end : end + around].text,
        )

    @cached_property
    def model(self) -> Fitted:
        """The fitted label model."""
        return load(self._run.kept.path(MODEL))

    @cached_property
    def described(self) -> Mapping[str, Any]:
        """What the label model learned."""
        return self.model.describe()

    def _place(self, number: int) -> tuple[_Shard, int]:
        at = int(np.searchsorted(self._first, number, side="right")) - 1
        with self._lock:
            if at not in self._shards:
                name = self._run.work[at].name
                self._shards[at] = _Shard(
                    docs=corpus_shards.read_shard(self._run.kept, self._run.shards[at]),
                    posterior=self._run.posterior(at),
                    said=read_votes(self._run.kept.read(name), name),
                )
                if len(self._shards) > _CACHED_SHARDS:
                    self._shards.popitem(last=False)
            self._shards.move_to_end(at)
            return self._shards[at], number - int(self._first[at])

    def once(self, name: str, version: Any, make: Callable[[], T]) -> T:
        """Return what ``make`` gives, kept until the version changes."""
        with self._lock:
            known = self._kept.get(name)
            if known is None or known[0] != version:
                known = self._kept[name] = (version, make())
            found: T = known[1]
            return found


def open_library(
    run: Run, *, gold: GoldFile | None = None, earlier: Earlier | None = None
) -> Library:
    """Return the library of a run; without another run to compare with, the one viewed before."""
    library = Library(run, gold=gold, earlier=earlier)
    before = remember(run, library.index.ids.to_pylist(), library.index.spans)
    if earlier is None:
        library.earlier = before
    return library
