"""Weights and optimizer as arrays, so that an interrupted training goes on where it was.

One ``.npz`` file: arrays by the number of their node in the network (Thinc's own ids differ from
one process to the next), and the table of epochs as JSON.
"""

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from spacy.training import Example
from thinc.api import Model

from silverspan.corpus.files import atomic_write_bytes
from silverspan.training.soft_labels import soft_labels

Weights = dict[str, NDArray[Any]]

_VERSION = 1
#: What the optimizer keeps for every parameter.
_MOMENTS = ("mom1", "mom2", "averages")


@dataclass(slots=True)
class State:
    """How far a training has come."""

    epochs: list[dict[str, Any]]
    misses: int
    rate: float
    step: int
    best: Weights | None


def weights(model: Model[Any, Any]) -> Weights:
    """Return a copy of every parameter, by the number of its node and its name."""
    return {
        f"{number}/{name}": _array(model, node.get_param(name)).copy()
        for number, node in enumerate(model.walk())
        for name in node.param_names
        if node.has_param(name)
    }


def put_weights(model: Model[Any, Any], values: Weights) -> None:
    """Set the parameters that ``weights`` took."""
    for number, node in enumerate(model.walk()):
        for name in node.param_names:
            if f"{number}/{name}" in values:
                ops: Any = model.ops
                node.set_param(name, ops.asarray(values[f"{number}/{name}"]))


def mark(settings: dict[str, Any], seed: int, examples: Sequence[Example]) -> str:
    """Return what tells one training from another: settings, seed, documents and soft labels."""
    digest = hashlib.sha256(json.dumps([settings, seed], sort_keys=True).encode())
    for example in examples:
        digest.update(json.dumps([token.text for token in example.x]).encode())
        soft = soft_labels(example.reference)
        if soft is not None:
            digest.update(json.dumps([soft.labels, soft.scheme]).encode())
            digest.update(soft.position.tobytes() + soft.probability.tobytes())
    return digest.hexdigest()


def save(path: Path, mark: str, state: State, model: Model[Any, Any], optimizer: Any) -> None:
    """Write the state of a training; a kill leaves the file of the epoch before."""
    arrays = {f"weights/{key}": value for key, value in weights(model).items()}
    arrays |= {f"best/{key}": value for key, value in (state.best or {}).items()}
    updates = {}
    for number, node in enumerate(model.walk()):
        for name in node.param_names:
            key = (node.id, name)
            updates[f"{number}/{name}"] = int(optimizer.nr_update[key])
            for moment in _MOMENTS:
                kept = getattr(optimizer, moment)
                if key in kept:
                    arrays[f"{moment}/{number}/{name}"] = _array(model, kept[key])
    progress = {
        "version": _VERSION,
        "mark": mark,
        "epochs": state.epochs,
        "misses": state.misses,
        "rate": state.rate,
        "step": state.step,
        "updates": updates,
    }
    arrays["progress"] = np.frombuffer(json.dumps(progress).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # the names are all strings
    with atomic_write_bytes(path) as file:
        file.write(buffer.getvalue())


def load(path: Path, mark: str, model: Model[Any, Any], optimizer: Any) -> State | None:
    """Set network and optimizer as they were; ``None`` if the file is of another training."""
    try:
        # By way of bytes: numpy leaves a damaged file open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = dict(stored)
        progress = json.loads(arrays.pop("progress").tobytes())
    except (FileNotFoundError, BadZipFile, ValueError, KeyError, EOFError):
        return None
    if progress.get("version") != _VERSION or progress.get("mark") != mark:
        return None
    put_weights(model, _part(arrays, "weights"))
    ops: Any = model.ops
    for number, node in enumerate(model.walk()):
        for name in node.param_names:
            optimizer.nr_update[(node.id, name)] = progress["updates"][f"{number}/{name}"]
            for moment in _MOMENTS:
                if f"{moment}/{number}/{name}" in arrays:
                    value = ops.asarray(arrays[f"{moment}/{number}/{name}"])
                    getattr(optimizer, moment)[(node.id, name)] = value
    return State(
        epochs=progress["epochs"],
        misses=progress["misses"],
        rate=progress["rate"],
        step=progress["step"],
        best=_part(arrays, "best") or None,
    )


def _array(model: Model[Any, Any], value: Any) -> NDArray[Any]:
    ops: Any = model.ops  # Thinc's typing does not know plain arrays
    array: NDArray[Any] = ops.to_numpy(value)
    return array


def _part(arrays: Weights, name: str) -> Weights:
    return {
        key.removeprefix(f"{name}/"): value
        for key, value in arrays.items()
        if key.startswith(f"{name}/")
    }
