"""A posterior as the bytes of one ``.npz`` file: arrays, and a JSON header with its version."""

import json
import zipfile
from io import BytesIO
from typing import Final

import numpy as np

from silverspan.aggregation.posterior import Posterior, Spans
from silverspan.errors import AggregationError

_VERSION: Final = 1
_SPANS = ("document", "start", "end", "label", "probability")


def to_bytes(posterior: Posterior) -> bytes:
    """Return the posterior as a file; equal posteriors give equal bytes."""
    header = {
        "version": _VERSION,
        "labels": posterior.labels,
        "scheme": posterior.scheme,
        "documents": posterior.documents,
    }
    buffer = BytesIO()
    np.savez_compressed(
        buffer,
        header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        lengths=posterior.lengths,
        position=posterior.position,
        probability=posterior.probability,
        **{f"span_{name}": getattr(posterior.spans, name) for name in _SPANS},
    )
    return buffer.getvalue()


def from_bytes(content: bytes) -> Posterior:
    """Return the posterior that a file holds.

    Raises:
        AggregationError: it holds none, or one of another version.
    """
    try:
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            header = json.loads(arrays["header"].tobytes())
            if header["version"] != _VERSION:
                raise ValueError(f"version {header['version']}, where {_VERSION} is read")
            labels = tuple(header["labels"])
            return Posterior(
                labels=labels,
                scheme=header["scheme"],
                documents=tuple(header["documents"]),
                lengths=arrays["lengths"],
                position=arrays["position"],
                probability=arrays["probability"],
                spans=Spans(labels=labels, **{name: arrays[f"span_{name}"] for name in _SPANS}),
            )
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise AggregationError(f"this is no posterior of this version: {error}") from error
