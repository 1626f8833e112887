"""The network of ``silver_tagger``: token vectors, one linear layer, softmax over tags.

While it learns, words may be hidden: a hidden word shows its shape alone, so that what stands
around it has to tell what it is. That is how a student finds names which it never saw.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc
from thinc.api import Model, Softmax_v2, chain, with_array

_TOK2VEC = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": 96,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": [5000, 1000, 2500, 2500],
        "include_static_vectors": False,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 96,
        "window_size": 1,
        "maxout_pieces": 3,
        "depth": 4,
    },
}
DEFAULT_MODEL: dict[str, Any] = {
    "@architectures": "silverspan.SoftTagger.v1",
    "tok2vec": _TOK2VEC,
    "hidden_words": 0.0,
    "document_memory": False,
    "nO": None,
}


def build_soft_tagger(
    tok2vec: Model[list[Doc], Any],
    hidden_words: float = 0.0,
    document_memory: bool = False,
    nO: int | None = None,  # noqa: N803 (spaCy's own name)
) -> Model[list[Doc], Any]:
    """Return the network.

    ``hidden_words`` is the share of words hidden while it learns; leave it at zero over a tok2vec
    that listens to another component, which gets no texts. With ``document_memory`` a token is
    judged by its own vector and the mean of those of the same word in its document.
    """
    width = tok2vec.get_dim("nO") if tok2vec.has_dim("nO") else None
    if width is not None and document_memory:
        width *= 2
    output: Model[Any, Any] = Softmax_v2(nO, width, normalize_outputs=True)
    inner = words_hidden(tok2vec, hidden_words) if hidden_words else tok2vec
    if document_memory:
        inner = remembered(inner)
    model: Model[list[Doc], Any] = chain(inner, with_array(output))
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output_layer", output)
    return model


def words_hidden(tok2vec: Model[list[Doc], Any], share: float) -> Model[list[Doc], Any]:
    """Return a layer that gives the one below it documents of which some words are hidden.

    Like dropout it draws from numpy's global generator, and only while learning.
    """

    def forward(
        model: Model[list[Doc], Any], docs: list[Doc], is_train: bool
    ) -> tuple[Any, Callable[[Any], Any]]:
        seen = [_hide(doc, share) for doc in docs] if is_train else docs
        result: tuple[Any, Callable[[Any], Any]] = model.layers[0](seen, is_train)
        return result

    return Model("words_hidden", forward, init=_initialize, layers=[tok2vec])


def remembered(tok2vec: Model[list[Doc], Any]) -> Model[list[Doc], Any]:
    """Return a layer that puts beside each token's vector the mean of those of the same word.

    The same word is the same normal form in the same document. So what one sentence makes clear of
    a name tells in the next, too.
    """

    def forward(
        model: Model[list[Doc], Any], docs: list[Doc], is_train: bool
    ) -> tuple[list[Any], Callable[[list[Any]], Any]]:
        vectors, backprop = model.layers[0](docs, is_train)
        ops: Any = model.ops
        groups = [_same_words(doc) for doc in docs]

        def means(arrays: list[Any]) -> list[Any]:
            return [
                ops.reduce_mean(array[order], lengths)[group] if len(array) else array
                for array, (order, lengths, group) in zip(arrays, groups, strict=True)
            ]

        def backward(gradients: list[Any]) -> Any:
            width = gradients[0].shape[1] // 2
            # A mean of means: the gradient spreads the way the vectors did.
            shared = means([gradient[:, width:] for gradient in gradients])
            return backprop(
                [
                    ops.asarray(gradient[:, :width] + more)
                    for gradient, more in zip(gradients, shared, strict=True)
                ]
            )

        beside = zip(vectors, means(vectors), strict=True)
        return [ops.xp.hstack(pair) for pair in beside], backward

    return Model("remembered", forward, init=_initialize, layers=[tok2vec])


def _initialize(model: Model[list[Doc], Any], X: Any = None, Y: Any = None) -> None:  # noqa: N803 (Thinc's names)
    model.layers[0].initialize(X)


def _hide(doc: Doc, share: float) -> Doc:
    hidden = np.random.random(len(doc)) < share  # noqa: NPY002 (see words_hidden)
    words = [token.shape_ if hide else token.text for token, hide in zip(doc, hidden, strict=True)]
    return Doc(doc.vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


def _same_words(doc: Doc) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return an order in which equal words stand together, the sizes of groups, each its group."""
    _, group, sizes = np.unique(doc.to_array("NORM"), return_inverse=True, return_counts=True)
    return np.argsort(group, kind="stable"), sizes.astype(np.int32), group
