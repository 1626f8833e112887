import pickle

import pytest
import spacy
from spacy.tokens import Doc

from silverspan.errors import GazetteerError
from silverspan.labelling.function import Family, LabellingFunction
from silverspan.labelling.gazetteers import (
    Entry,
    GazetteerFamily,
    Recipe,
    Sieve,
    build_in_memory,
    check_tokenizers,
    combine,
    gazetteer_functions,
)

NLP = spacy.blank("en")
OFF = Sieve.off()


def compiled(*entries, tokenizer=NLP, **recipe):
    recipe.setdefault("subsets", ("names",))
    return build_in_memory(list(entries), tokenizer=tokenizer, recipe=Recipe(**recipe))


def said(function, text):
    doc = NLP(text)
    return [(doc[start:end].text, label) for start, end, label, _ in function(doc)]


def test_one_gazetteer_makes_the_four_functions_of_the_paper():
    functions = gazetteer_functions("geo", compiled(Entry("New York", "GPE")))
    assert [function.name for function in functions] == [
        "geo_cased",
        "geo_uncased",
        "multitoken_geo_cased",
        "multitoken_geo_uncased",
    ]
    assert all(function.labels == ("GPE",) for function in functions)
    assert isinstance(functions[0].family, Family)


def test_names_that_the_tokenizer_cuts_are_found_as_it_cuts_them():
    names = ["AT&T", "Coca-Cola", "U.S.", "O'Brien's", "Yahoo!", "St. John's"]
    cased = gazetteer_functions("g", compiled(*(Entry(n, "X") for n in names)), sieve=OFF)[0]
    text = "AT&T and Coca-Cola of the U.S. met O'Brien's and Yahoo! in St. John's."
    assert [name for name, _ in said(cased, text)] == names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("O\N{RIGHT SINGLE QUOTATION MARK}Brien", "Mr O'Brien said"),
        ("O'Brien", "Mr O\N{RIGHT SINGLE QUOTATION MARK}Brien said"),
        ("Coca\N{NON-BREAKING HYPHEN}Cola", "a Coca-Cola please"),
        ("Zu\N{COMBINING DIAERESIS}rich", "in Zürich today"),
        ("\N{LATIN SMALL LIGATURE FI}nland", "in finland today"),
        ("New York", "in New\nYork today"),
    ],
)
def test_spelling_of_unicode_does_not_matter(name, text):
    cased = gazetteer_functions("g", compiled(Entry(name, "X")), sieve=OFF)[0]
    assert len(said(cased, text)) == 1


def test_case_is_kept_apart_within_one_file():
    gazetteer = compiled(Entry("Apple", "ORG"), Entry("apple", "FOOD"))
    cased, uncased, *_ = gazetteer_functions("g", gazetteer, sieve=OFF)
    assert said(cased, "Apple ate an apple.") == [("Apple", "ORG"), ("apple", "FOOD")]
    assert said(cased, "APPLE") == []
    assert said(uncased, "APPLE") == [("APPLE", "FOOD"), ("APPLE", "ORG")]


def test_an_ambiguous_name_gives_a_distribution_by_weight():
    gazetteer = compiled(Entry("Paris", "GPE", 3.0), Entry("Paris", "PERSON", 1.0))
    cased = gazetteer_functions("g", gazetteer, sieve=OFF)[0]
    proposals = list(cased(NLP("Paris")))
    assert [(label, round(p, 3)) for _, _, label, p in proposals] == [
        ("GPE", 0.75),
        ("PERSON", 0.25),
    ]


def test_marked_entries_make_a_second_gazetteer_in_the_same_file():
    gazetteer = compiled(
        Entry("Oslo", "GPE", marked=True),
        Entry("Oslo", "ORG"),
        Entry("Bergen", "GPE"),
        subsets=("wiki", "wiki_small"),
    )
    wiki = gazetteer_functions("wiki", gazetteer, sieve=OFF)[0]
    small = gazetteer_functions("wiki_small", gazetteer, subset="wiki_small", sieve=OFF)[0]
    assert said(wiki, "Oslo, Bergen") == [("Oslo", "GPE"), ("Oslo", "ORG"), ("Bergen", "GPE")]
    assert said(small, "Oslo, Bergen") == [("Oslo", "GPE")]
    assert small.labels == ("GPE",)


def test_combined_functions_share_a_family_and_say_the_same():
    first = gazetteer_functions("a", compiled(Entry("New York", "GPE")), sieve=OFF)
    second = gazetteer_functions("b", compiled(Entry("York City", "ORG")), sieve=OFF)
    other = LabellingFunction(name="other", labels=("X",), propose=lambda doc: [])
    together = combine([*first, other, *second])
    assert [f.name for f in together] == [f.name for f in [*first, other, *second]]
    assert len({id(f.family) for f in together if f.family}) == 1
    assert together[4] is other
    for before, after in zip([*first, other, *second], together, strict=True):
        assert said(before, "in New York City") == said(after, "in New York City")


def test_a_family_computes_only_the_functions_it_was_given():
    functions = gazetteer_functions("g", compiled(Entry("Oslo", "GPE")), variants=["{}_cased"])
    assert list(functions[0].family.propose([NLP("Oslo")])[0]) == ["g_cased"]


def test_tokens_coarser_than_those_of_the_names_are_taken_apart():
    gazetteer = compiled(Entry("Coca-Cola", "ORG"), Entry("Cola", "DRINK"))
    cased, _, multitoken, _ = gazetteer_functions("g", gazetteer, sieve=OFF)
    doc = Doc(NLP.vocab, words=["A", "Coca-Cola", "Cola", "Pepsi-Cola"])
    # "Cola" inside "Pepsi-Cola" does not begin where a token begins.
    assert [p[:3] for p in cased(doc)] == [(1, 2, "ORG"), (2, 3, "DRINK")]
    assert list(multitoken(doc)) == []


def test_another_tokenizer_is_refused_with_the_command_that_rebuilds():
    gazetteer = compiled(Entry("Oslo", "GPE"), command="silverspan gazetteer build text a.txt -o a")
    with pytest.raises(GazetteerError, match=r"gazetteer build text a\.txt -o a --tokenizer"):
        gazetteer_functions("g", gazetteer, pipeline=spacy.blank("de"))
    gazetteer_functions("g", gazetteer, pipeline=spacy.blank("en"))


def test_a_project_refuses_files_for_another_tokenizer_but_loads_no_pipeline_without_files(
    tmp_path,
):
    path = tmp_path / "names.gaz"
    path.write_bytes(compiled(Entry("Oslo", "GPE")).to_bytes())
    functions = gazetteer_functions("g", path)
    check_tokenizers(functions, lambda: spacy.blank("en"))
    with pytest.raises(GazetteerError, match=r"Rebuild it .* --tokenizer blank:de$"):
        check_tokenizers(functions, lambda: spacy.blank("de"), "blank:de")
    in_memory = gazetteer_functions("g", compiled(Entry("Oslo", "GPE")))
    check_tokenizers(in_memory, lambda: pytest.fail("a pipeline was loaded"))


def test_gazetteers_of_two_tokenizers_are_not_searched_together():
    english = gazetteer_functions("a", compiled(Entry("Oslo", "GPE")))
    german = gazetteer_functions("b", compiled(Entry("Oslo", "GPE"), tokenizer=spacy.blank("de")))
    variants = [*english[0].family.variants, *german[0].family.variants]
    with pytest.raises(GazetteerError, match="different tokenizers"):
        GazetteerFamily(variants)
    assert len({id(f.family) for f in combine([*english, *german])}) == 2


def test_functions_survive_the_way_to_another_process():
    functions = gazetteer_functions("g", compiled(Entry("Oslo", "GPE")), sieve=OFF)
    copies = pickle.loads(pickle.dumps(functions))
    assert said(copies[0], "in Oslo") == [("Oslo", "GPE")]


def test_no_documents_and_empty_documents_say_nothing():
    family = gazetteer_functions("g", compiled(Entry("Oslo", "GPE")))[0].family
    assert family.propose([]) == []
    for said_of in family.propose([NLP(""), NLP("\n")]):
        assert not any(said_of.values())
