import pytest
import spacy

from silverspan.errors import GazetteerError
from silverspan.labelling.function import functions
from silverspan.labelling.gazetteers import GazetteerFamily, combine, shipped
from silverspan.labelling.gazetteers.named import NAMED, named_function

NLP = spacy.blank("en")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SILVERSPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shipped, "_open", {})
    return tmp_path / "cache"


def said(function, text):
    doc = NLP(text)
    return [(doc[start:end].text, label) for start, end, label, _ in function(doc)]


def test_the_registry_knows_all_24_functions_of_the_paper():
    assert len(NAMED) == 24
    assert set(NAMED) <= set(functions.names())


def test_every_shipped_list_names_its_sources():
    for name in shipped.SHIPPED:
        sources = shipped.shipped_lists(name)["_sources"]
        assert sources
        assert all("(" in source for source in sources)  # each with its licence


def test_shipped_functions_find_what_everybody_knows():
    assert said(named_function("geo_cased"), "a flight from the U.S. to Buenos Aires") == [
        ("U.S.", "GPE"),
        ("Buenos Aires", "GPE"),
    ]
    assert said(named_function("multitoken_company_cased"), "at Deutsche Bank AG today") == [
        ("Deutsche Bank AG", "COMPANY")
    ]
    assert said(named_function("wiki_small_cased"), "Angela Merkel met NATO") == [
        ("Angela Merkel", "PERSON"),
        ("NATO", "ORG"),
    ]


def test_a_shipped_gazetteer_is_compiled_once_and_then_mapped(cache):
    first = shipped.open_shipped("product")
    assert first.path is not None
    assert [path.name for path in (cache / "gazetteers").iterdir()] == [first.path.name]
    assert shipped.open_shipped("product") is first
    german = shipped.open_shipped("product", spacy.blank("de"))
    assert german.path != first.path


def test_a_damaged_cache_is_made_anew(cache):
    path = shipped.open_shipped("product").path
    path.write_bytes(b"cut off")
    shipped._open.clear()
    assert len(shipped.open_shipped("product")) > 100


def test_without_a_folder_to_write_to_it_still_works(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SILVERSPAN_CACHE", str(blocked))
    assert shipped.open_shipped("product").path is None


def test_what_does_not_ship_says_how_it_is_built():
    with pytest.raises(GazetteerError, match="gazetteer build FORMAT SOURCE -o crunchbase"):
        functions["crunchbase_cased"]()


def test_an_unknown_rule_lists_the_known():
    with pytest.raises(GazetteerError, match="no option 'gaps'; it has: file, subset, proper"):
        functions["product_cased"](gaps=True)


def test_named_functions_combine_into_one_family():
    made = combine(
        [functions[name]() for name in ("product_cased", "multitoken_wiki_small_uncased")]
    )
    (family,) = {function.family for function in made}
    assert isinstance(family, GazetteerFamily)
    assert len(family.gazetteers) == 2
