"""``transformer_tagger``: a trained Hugging Face token classifier as a spaCy component.

It sets what ``silver_tagger`` sets. In a saved pipeline its folder holds what Hugging Face's
``AutoModelForTokenClassification`` loads.
"""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import srsly  # type: ignore[import-untyped]  # has no types
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from silverspan.errors import TrainingError
from silverspan.training.annotations import Decoding, posterior_of, set_silver
from silverspan.training.encoder import Encoder

#: Documents tagged at a time.
_BATCH = 16


class TransformerTagger(Pipe):
    """Tags documents with an encoder; trained by the trainer ``transformer``."""

    def __init__(self, name: str, *, decoding: Decoding, encoder: Encoder | None = None) -> None:
        self.name = name
        self.decoding = decoding
        self.encoder = encoder

    @property
    def labels(self) -> tuple[str, ...]:
        """The entity labels."""
        if self.encoder is None:
            return ()
        tags = self.encoder.network.config.id2label
        return tuple(tags[state][2:] for state in range(1, len(tags), 4))

    def __call__(self, doc: Doc) -> Doc:
        """Tag one document."""
        (tagged,) = self._tag([doc])
        return tagged

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _BATCH) -> Any:
        """Tag documents as they come, a batch at a time.

        Raises:
            TrainingError: the component has not been trained or loaded.
        """
        batch: list[Doc] = []
        for doc in stream:
            batch.append(doc)
            if len(batch) == min(batch_size, _BATCH):
                yield from self._tag(batch)
                batch = []
        yield from self._tag(batch)

    def _tag(self, docs: Sequence[Doc]) -> Sequence[Doc]:
        if self.encoder is None:
            raise TrainingError(
                f"{self.name!r} has no network; train a pipeline with the trainer 'transformer'"
            )
        if docs:
            scores = self.encoder.distributions(docs)
            set_silver(docs, posterior_of(scores, self.labels, self.decoding))
        return docs

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the encoder to a folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        if self.encoder is not None:
            self.encoder.write(path)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "TransformerTagger":
        """Read the encoder from a folder."""
        self.encoder = Encoder.read(path)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the files of the folder in one message."""
        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(folder)
            files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
        packed: bytes = srsly.msgpack_dumps(files)
        return packed

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "TransformerTagger":
        """Read what ``to_bytes`` gave."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in srsly.msgpack_loads(data).items():
                (Path(folder) / Path(name).name).write_bytes(content)
            return self.from_disk(folder)


def make_transformer_tagger(nlp: Language, name: str, decoding: Decoding) -> TransformerTagger:
    """Return the component, without a network; spaCy calls this when a pipeline is loaded."""
    return TransformerTagger(name, decoding=decoding)


Language.factory(
    "transformer_tagger",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"decoding": "paths"},
    func=make_transformer_tagger,
)
