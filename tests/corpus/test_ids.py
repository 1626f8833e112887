from silverspan.corpus.ids import Ids


def test_an_id_is_known_with_its_place_or_at_least_known():
    ids = Ids(places=5, buffer=3)
    names = [f"d{number}" for number in range(500)]
    for number, name in enumerate(names):
        assert ids.place(name) is None
        assert len(ids) == number
        ids.add(name, f"a:{number}")
    assert [ids.place(name) for name in names[:5]] == [f"a:{number}" for number in range(5)]
    assert {ids.place(name) for name in names[5:]} == {"an earlier place"}
    assert ids.place("other") is None
