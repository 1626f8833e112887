import pytest

from silverspan.errors import LabelError
from silverspan.labels import LabelSpace


def test_a_finer_label_shares_the_id_of_what_it_maps_onto():
    space = LabelSpace(outputs=("LOC", "PER"), finer={"GPE": "LOC"})
    assert space.id_of("GPE") == space.id_of("LOC") == 0


def test_the_coarse_entity_label_stands_for_every_output():
    space = LabelSpace(outputs=("LOC", "PER"))
    assert space.stands_for(space.id_of("ENT")) == (0, 1)


def test_an_unknown_label_has_no_id():
    assert LabelSpace(outputs=("LOC",)).id_of("PER") is None


def test_a_mapping_onto_no_output_label_is_refused_and_lists_the_outputs():
    with pytest.raises(LabelError, match=r"no output label; the output labels are: LOC"):
        LabelSpace(outputs=("LOC",), finer={"GPE": "PLACE"})
