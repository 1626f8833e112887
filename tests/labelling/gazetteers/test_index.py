from dataclasses import replace

import numpy as np
import pytest
import spacy

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers import Entry, Gazetteer, build_in_memory, look_up
from silverspan.labelling.gazetteers.index import ARRAYS

NLP = spacy.blank("en")


@pytest.fixture
def gazetteer():
    return build_in_memory([Entry("Oslo", "GPE"), Entry("oslo", "X")], tokenizer=NLP)


def test_a_file_holds_what_was_compiled(gazetteer, tmp_path):
    path = tmp_path / "g.gaz"
    path.write_bytes(gazetteer.to_bytes())
    opened = Gazetteer.open(path)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(opened, name), getattr(gazetteer, name))
    assert opened.header.labels == ("GPE", "X")
    assert opened.meanings == gazetteer.meanings
    opened.verify()


@pytest.mark.parametrize("kept", [0, 10, 200, -1])
def test_a_file_cut_off_is_refused(gazetteer, tmp_path, kept):
    path = tmp_path / "g.gaz"
    path.write_bytes(gazetteer.to_bytes()[:kept])
    with pytest.raises(GazetteerError, match="gazetteer"):
        Gazetteer.open(path)


def test_a_damaged_header_is_refused(gazetteer):
    data = bytearray(gazetteer.to_bytes())
    start = data.rindex(b'{"arrays"')
    data[start + 1] = 0
    with pytest.raises(GazetteerError, match="damaged"):
        Gazetteer.from_bytes(bytes(data))


def test_a_search_that_ends_outside_the_arrays_names_the_file(gazetteer):
    for name in ("meaning_labels", "uncased"):
        far = np.full_like(getattr(gazetteer, name), 60_000)
        with pytest.raises(GazetteerError, match="info --verify"):
            look_up(NLP("Oslo"), {"g": replace(gazetteer, **{name: far})})


def test_every_byte_of_the_header_and_the_end_is_checked(gazetteer):
    whole = gazetteer.to_bytes()
    for place in range(whole.rindex(b'{"arrays"'), len(whole), 5):
        with pytest.raises(GazetteerError, match=r"gazetteer|damaged"):
            Gazetteer.from_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(GazetteerError, match=r"missing\.gaz"):
        Gazetteer.open(tmp_path / "missing.gaz")


def test_a_changed_byte_is_found_by_verify(gazetteer):
    data = bytearray(gazetteer.to_bytes())
    data[0] ^= 1
    with pytest.raises(GazetteerError, match="checksum"):
        Gazetteer.from_bytes(bytes(data)).verify()


def test_an_unknown_subset_lists_the_known(gazetteer):
    with pytest.raises(GazetteerError, match="it holds: names"):
        gazetteer.subset("other")
