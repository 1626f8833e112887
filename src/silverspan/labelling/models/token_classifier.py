"""Any Hugging Face token-classification model, as a labelling function. Extra ``transformers``.

The model reads the document's text in overlapping windows. Its pieces of words are laid onto the
document's own tokens by their characters, so neither side needs to know how the other cuts words.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from spacy.tokens import Doc

from silverspan.errors import MissingDependencyError, ModelError
from silverspan.labelling.function import LabellingFunction, LooseProposal, Proposal
from silverspan.labelling.models.corrections import CORRECTED_LABELS, correct

#: Windows computed at a time.
_BATCH = 8
#: Other labels of a span below this probability are not worth a vote.
_LEAST = 0.01


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassifierFamily:
    """What one model says, raw under ``name`` and corrected under ``name + "+c"``."""

    name: str
    model: str
    window: int
    overlap: int
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)

    def propose(self, docs: Sequence[Doc]) -> list[dict[str, list[Proposal]]]:
        """Return, for each document, the model's entities and the corrected ones."""
        answers = []
        for doc in docs:
            proposals = [
                (start, end, self.labels.get(label, label), probability)
                for start, end, label, probability in self._said(doc)
            ]
            answers.append({self.name: proposals, f"{self.name}+c": correct(doc, proposals)})
        return answers

    def _said(self, doc: Doc) -> list[Proposal]:
        if not doc.text.strip():
            return []
        tokenizer, model = _load(self.model)
        tags = [model.config.id2label[i] for i in range(model.config.num_labels)]
        pieces = _windows(tokenizer, doc.text, self.window, self.overlap)
        return spans_of(_token_probabilities(doc, model, pieces, tags), tags)


def transformers_model(
    model: str,
    *,
    name: str | None = None,
    labels: Mapping[str, str] | None = None,
    corrected: bool = False,
    window: int = 256,
    overlap: int = 64,
    group: str = "neural",
) -> LabellingFunction:
    """Return the labelling function of a token classifier: a folder, or a name on the hub.

    ``labels`` renames the model's labels, ``corrected`` gives the ``+c`` form. ``window`` and
    ``overlap`` count pieces of words; what stands in two windows is read where it has more context.
    A span has a distribution over labels: the mean of what the model gives its tokens.

    >>> function = transformers_model("models/tiny-ner")  # doctest: +SKIP

    Raises:
        MissingDependencyError: the extra is not installed.
        ModelError: there is no such model, or it classifies no tokens.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingDependencyError(package, extra="transformers")
    if not 0 <= overlap < window:
        raise ModelError(f"windows of {window} pieces cannot overlap by {overlap}")
    known, digest = _settings(model)
    renamed = dict(labels or {})
    spoken = tuple(
        dict.fromkeys(
            renamed.get(label, label) for label in map(_label_of, known) if label is not None
        )
    )
    if not spoken:
        raise ModelError(f"the model {model!r} has no labels of entities in its config.json")
    if corrected:
        spoken = tuple(dict.fromkeys((*spoken, *CORRECTED_LABELS)))
    family = _family(
        name or model.rstrip("/").rpartition("/")[2],
        model,
        window,
        overlap,
        tuple(sorted(renamed.items())),
    )
    full_name = family.name + ("+c" if corrected else "")
    return LabellingFunction(
        name=full_name,
        labels=spoken,
        propose=_alone(family, full_name),
        group=group,
        family=family,
        options={"model": model, "labels": renamed, "window": window, "overlap": overlap},
        version=f"{digest} transformers {version('transformers')}",
    )


def spans_of(probabilities: Float[ndarray, "tokens tags"], tags: Sequence[str]) -> list[Proposal]:
    """Return the spans of the most probable tags, each with its distribution over labels.

    Tags are IOB, BILUO or bare labels.

    >>> spans_of(np.array([[0.1, 0.9, 0.0], [0.2, 0.0, 0.8]]), ["O", "B-LOC", "I-LOC"])
    [(0, 2, 'LOC', 0.85)]
    """
    best = [tags[i] for i in probabilities.argmax(axis=1)]
    labels = list(dict.fromkeys(label for label in map(_label_of, tags) if label is not None))
    of_label = {
        label: probabilities[:, [i for i, tag in enumerate(tags) if _label_of(tag) == label]].sum(
            axis=1
        )
        for label in labels
    }
    proposals: list[Proposal] = []
    for start, end in _runs(best):
        shares = {label: float(of_label[label][start:end].mean()) for label in labels}
        for label, share in shares.items():
            if share >= _LEAST:
                proposals.append((start, end, label, min(round(share, 6), 1.0)))
    return proposals


def _runs(tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of a sequence of tags that need not be well formed."""
    start = 0
    for place, tag in enumerate(tags):
        before = tags[place - 1] if place else "O"
        goes_on = (
            _label_of(tag) is not None
            and _label_of(tag) == _label_of(before)
            and tag[:2] not in ("B-", "U-", "S-")
            and before[:2] not in ("L-", "E-", "U-", "S-")
        )
        if not goes_on:
            if _label_of(before) is not None:
                yield start, place
            start = place
    if tags and _label_of(tags[-1]) is not None:
        yield start, len(tags)


def _label_of(tag: str) -> str | None:
    """Return the label of a tag; ``None`` outside entities."""
    if tag in ("O", ""):
        return None
    return tag[2:] if len(tag) > 2 and tag[1] == "-" and tag[0] in "BILUSE" else tag


@cache
def _family(
    name: str, model: str, window: int, overlap: int, labels: tuple[tuple[str, str], ...]
) -> ClassifierFamily:
    return ClassifierFamily(
        name=name, model=model, window=window, overlap=overlap, labels=dict(labels)
    )


def _alone(family: ClassifierFamily, name: str) -> Callable[[Doc], Iterable[LooseProposal]]:
    def propose(doc: Doc) -> Iterable[LooseProposal]:
        return family.propose([doc])[0][name]

    return propose


def _settings(model: str) -> tuple[list[str], str]:
    """Return the tags of a model and what identifies it, without loading its weights."""
    path = Path(model)
    if path.is_dir():
        try:
            settings = json.loads((path / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"{model!r} is no transformers model: {error}") from error
        # The weights are large, and hashing them on every run would cost more than it tells.
        sizes = [(file.name, file.stat().st_size) for file in sorted(path.iterdir())]
        tags = settings.get("id2label", {}) if isinstance(settings, dict) else None
        if not isinstance(tags, dict):
            raise ModelError(f"{model!r} is no transformers model: its config.json has no id2label")
        return [str(tag) for tag in tags.values()], f"{path.name} {sizes}"
    from transformers import AutoConfig  # noqa: PLC0415 (slow)

    try:
        found = AutoConfig.from_pretrained(model)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"the model {model!r} cannot be opened: {error}. Give a folder that transformers has "
            "written, or a name on the hub with a connection to it"
        ) from error
    return list(found.id2label.values()), f"{model} {getattr(found, '_commit_hash', '')}"


@cache
def _load(model: str) -> tuple[Any, Any]:
    from transformers import (  # noqa: PLC0415 (slow)
        AutoModelForTokenClassification,
        AutoTokenizer,
    )

    try:
        tokenizer = AutoTokenizer.from_pretrained(model, use_fast=True)
        # Weights in any other form are a pickle, which runs whatever its author wrote.
        network = AutoModelForTokenClassification.from_pretrained(model, use_safetensors=True)
    except Exception as error:  # whatever a damaged folder makes of the readers
        reason = " ".join(str(error).split())
        raise ModelError(f"the model {model!r} cannot be loaded: {reason[:400]}") from error
    if not tokenizer.is_fast:
        raise ModelError(
            f"the tokenizer of {model!r} does not tell which characters its pieces are; "
            "only those of the tokenizers library (fast ones) do"
        )
    network.eval()
    return tokenizer, network


def _windows(tokenizer: Any, text: str, window: int, overlap: int) -> Any:
    """Return overlapping windows of pieces, with the characters each piece covers."""
    limit = min(window, int(tokenizer.model_max_length)) + tokenizer.num_special_tokens_to_add()
    limit = min(limit, int(tokenizer.model_max_length))
    return tokenizer(
        text,
        truncation=True,
        max_length=limit,
        stride=min(overlap, (limit - tokenizer.num_special_tokens_to_add()) // 2),
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        padding=True,
        return_tensors="np",
    )


def _token_probabilities(
    doc: Doc, model: Any, pieces: Any, tags: Sequence[str]
) -> Float[ndarray, "tokens tags"]:
    """Return each token's distribution over tags: that of its first piece, where most is around."""
    import torch  # noqa: PLC0415 (slow)

    outside = tags.index("O") if "O" in tags else 0
    answer = np.zeros((len(doc), len(tags)))
    answer[:, outside] = 1.0
    owner = _owners(doc)
    context = np.full(len(doc), -1)
    first = np.full(len(doc), np.iinfo(np.int64).max)
    inputs = {
        key: pieces[key]
        for key in ("input_ids", "attention_mask", "token_type_ids")
        if key in pieces
    }
    for begin in range(0, len(pieces["input_ids"]), _BATCH):
        rows = slice(begin, begin + _BATCH)
        with torch.inference_mode():
            batch = {key: torch.as_tensor(values[rows]) for key, values in inputs.items()}
            probabilities = torch.softmax(model(**batch).logits.double(), dim=-1).numpy()
        for row, distribution in enumerate(probabilities, begin):
            real = np.flatnonzero(pieces["special_tokens_mask"][row] == 0)
            real = real[pieces["attention_mask"][row][real] == 1]
            for rank, place in enumerate(real):
                start, end = (int(c) for c in pieces["offset_mapping"][row][place])
                # Some tokenizers count the blank before a word into its first piece.
                while start < end and doc.text[start].isspace():
                    start += 1
                token = int(owner[start]) if start < end else -1
                around = min(rank, len(real) - 1 - rank)
                better = start < first[token] or (start == first[token] and around > context[token])
                if token >= 0 and better:
                    answer[token] = distribution[place]
                    context[token], first[token] = around, start
    return answer


def _owners(doc: Doc) -> ndarray:
    """Return the token that each character of the document belongs to; -1 for blanks between."""
    owner = np.full(len(doc.text) + 1, -1)
    for token in doc:
        owner[token.idx : token.idx + len(token.text)] = token.i
    return owner
