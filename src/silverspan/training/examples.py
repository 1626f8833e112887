"""Documents and a posterior become spaCy examples with soft labels, in pieces that fit a batch.

The documents are laid anew with the student's own vocabulary, so that it learns from the features
that it will see when it is used.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import get_lang_class

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import TrainingError
from silverspan.progress import track
from silverspan.training.silver import matching
from silverspan.training.soft_labels import SoftLabels, attach

#: A longer document is cut at the next token that no function voted for.
LONGEST_PIECE = 200


@dataclass(frozen=True, slots=True)
class Split:
    """What a student learns from, and what tells when to stop."""

    learn: list[Example]
    held_out: list[Example]


def tokenizing_pipeline(nlp: Language | None, language: str) -> Language:
    """Return an empty pipeline with the tokeniser of ``nlp``, or with that of a language.

    >>> tokenizing_pipeline(None, "en").pipe_names
    []
    """
    if nlp is None:
        return get_lang_class(language or "xx")()
    config = {"nlp": {"tokenizer": nlp.config["nlp"]["tokenizer"]}}
    empty = get_lang_class(str(nlp.lang)).from_config(config)
    # A tokeniser may be any callable; what the name does not say, spaCy's own keeps in bytes.
    source: Any = nlp.tokenizer
    copy: Any = empty.tokenizer
    if isinstance(source, spacy.tokenizer.Tokenizer):
        copy.from_bytes(source.to_bytes())
    # The table of normal forms is a feature of every token; others the student never looks at.
    if nlp.vocab.lookups.has_table("lexeme_norm"):
        empty.vocab.lookups.set_table("lexeme_norm", nlp.vocab.lookups.get_table("lexeme_norm"))
    return empty


def split_examples(
    posterior: Posterior,
    corpus: Iterable[Doc],
    *,
    nlp: Language | None,
    held_out: float,
    seed: int,
) -> tuple[Language, Split]:
    """Return the empty pipeline of the student, and the examples, some of them held out.

    Raises:
        AggregationError: the documents are not those of the posterior.
        TrainingError: they hold no token.
    """
    pipeline: Language | None = None
    examples: list[Example] = []
    documents = track(corpus, "reading documents", total=len(posterior.lengths))
    for number, doc in enumerate(matching(posterior, documents)):
        if pipeline is None:
            pipeline = tokenizing_pipeline(nlp, doc.lang_)
        examples.extend(_pieces(pipeline, doc, SoftLabels.of(posterior, number), posterior, number))
    if pipeline is None or not examples:
        raise TrainingError("the corpus holds no token; there is nothing to learn from")
    order = np.random.default_rng(seed).permutation(len(examples))
    kept = round(held_out * len(examples)) if len(examples) >= 5 else 0
    aside = set(order[: max(kept, 1) if held_out and len(examples) >= 5 else 0].tolist())
    return pipeline, Split(
        learn=[example for place, example in enumerate(examples) if place not in aside],
        held_out=[examples[place] for place in sorted(aside)],
    )


def _pieces(
    nlp: Language, doc: Doc, soft: SoftLabels, posterior: Posterior, number: int
) -> Iterator[Example]:
    spans = posterior.spans.of(number)
    copy = _document(nlp, doc)
    copy.set_ents([Span(copy, start, end, label) for start, end, label, _ in spans])
    voted = np.zeros(len(doc) + 1, dtype=bool)
    voted[soft.position] = True
    start = 0
    while start < len(doc):
        end = start + LONGEST_PIECE
        # Half as long again at most: a run of votes may never end.
        while end < len(doc) and voted[end] and end - start < LONGEST_PIECE * 3 // 2:
            end += 1
        # A short rest would be all edge.
        end = len(doc) if len(doc) - end < LONGEST_PIECE // 4 else end
        piece = copy if (start, end) == (0, len(doc)) else copy[start:end].as_doc()
        attach(piece, soft.within(start, end))
        yield Example(piece, piece)
        start = end


def _document(nlp: Language, doc: Doc) -> Doc:
    """Return the document as the student will see it: tokenised by itself, if that agrees."""
    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    nlp.max_length = max(nlp.max_length, len(doc.text) + 1)
    own = nlp.make_doc(doc.text)
    if [token.text for token in own] == words:
        return own
    return Doc(nlp.vocab, words=words, spaces=spaces)
