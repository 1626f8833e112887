import json
from dataclasses import replace

import numpy as np
import pytest

from silverspan.aggregation import load, storage
from silverspan.errors import AggregationError, InputError, UnknownNameError
from silverspan.labels import LabelSpace

STORED = storage.Stored(
    model="mv",
    functions=("a", "b"),
    space=LabelSpace(outputs=("LOC",), finer={"GPE": "LOC"}, coarse={"PLACE": ("LOC",)}),
    settings={"threshold": 2},
    arrays={"weights": np.array([0.5, 1.0])},
)


def test_what_is_saved_is_read_again(tmp_path):
    storage.save(tmp_path / "deep" / "model", STORED)
    again = storage.read(tmp_path / "deep" / "model")
    assert (again.model, again.functions, again.space) == ("mv", ("a", "b"), STORED.space)
    assert again.settings == {"threshold": 2}
    assert again.array("weights", (2,)).tolist() == [0.5, 1.0]


def test_the_same_model_is_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        storage.save(tmp_path / name, STORED)
    for file in ("model.json", "arrays.npz"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def edit(folder, **changes):
    path = folder / "model.json"
    header = {**json.loads(path.read_text()), **changes}
    del header["checksum"]
    right = storage.checksum(header, (folder / "arrays.npz").read_bytes())
    path.write_text(json.dumps({**header, "checksum": right}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "a recipe"}, "not a saved label model"),
        ({"version": 99}, "format version 99"),
        ({"functions": None}, "damaged"),
        ({"functions": ["a"]}, r"shape \(2,\), where its functions and labels ask for \(1,\)"),
        ({"space": {}}, "damaged"),
        ({"space": {"outputs": ["LOC"], "finer": {}, "coarse": []}}, "damaged"),
        ({"settings": {"treshold": 2}}, "'mv' model does not fit this release"),
        ({"settings": 5}, "damaged"),
    ],
)
def test_what_does_not_fit_is_refused_politely(tmp_path, changes, message):
    storage.save(tmp_path, STORED)
    edit(tmp_path, **changes)
    with pytest.raises(AggregationError, match=message):
        load(tmp_path)


@pytest.mark.parametrize("name", ["model.json", "arrays.npz"])
def test_any_byte_that_changed_is_found(tmp_path, name):
    storage.save(tmp_path, STORED)
    path = tmp_path / name
    whole = path.read_bytes()
    last = whole.rindex(b"}") if name == "model.json" else len(whole) - 1
    for place in range(0, last, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises((AggregationError, InputError)):
            load(tmp_path)


def test_arrays_that_unpack_to_more_than_memory_holds_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "LARGEST", 1000)
    zeros = np.zeros((1000, 1000))
    storage.save(tmp_path, replace(STORED, arrays={"weights": zeros}))
    with pytest.raises(AggregationError, match=r"unpack to 8\d* bytes, more than 1000"):
        load(tmp_path)


def test_a_model_of_an_unknown_aggregator_names_the_known_ones(tmp_path):
    storage.save(tmp_path, STORED)
    edit(tmp_path, model="oracle")
    with pytest.raises(UnknownNameError, match="'oracle'"):
        load(tmp_path)


def test_a_missing_or_damaged_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"model\.json"):
        load(tmp_path)
    storage.save(tmp_path, STORED)
    (tmp_path / "arrays.npz").write_bytes(b"PK nonsense")
    with pytest.raises(AggregationError, match="damaged"):
        load(tmp_path)
    (tmp_path / "arrays.npz").unlink()
    with pytest.raises(AggregationError, match="cannot be read"):
        load(tmp_path)
