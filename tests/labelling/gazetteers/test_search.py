import numpy as np
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.labelling.gazetteers import search
from silverspan.labelling.gazetteers.build import build_in_memory
from silverspan.labelling.gazetteers.compile import build_filter
from silverspan.labelling.gazetteers.entries import Entry
from silverspan.labelling.gazetteers.function import gazetteer_functions
from silverspan.labelling.gazetteers.sieve import Sieve

from .reference import longest_matches

NLP = spacy.blank("en")
# Few words in both cases, so that names overlap, nest and differ by case only.
WORDS = st.sampled_from(["ab", "Ab", "AB", "cd", "Cd", "ef", "EF", "gh"])
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=30)
TEXTS = st.lists(st.lists(WORDS, max_size=40), min_size=1, max_size=4)


def functions_of(names, **options):
    entries = [Entry(name, "X") for name in names]
    gazetteer = build_in_memory(entries, tokenizer=NLP)
    return gazetteer_functions("g", gazetteer, sieve=Sieve.off(), **options)


@given(names=NAMES, texts=TEXTS)
@settings(deadline=None, max_examples=100)
def test_hits_are_those_of_the_obvious_matcher(names, texts):
    docs = [Doc(NLP.vocab, words=words) for words in texts]
    family = functions_of(names)[0].family
    for words, said in zip(texts, family.propose(docs), strict=True):
        for name, proposals in said.items():
            expected = longest_matches(
                words, names, cased="uncased" not in name, multitoken="multitoken" in name
            )
            assert [(start, end) for start, end, _, _ in proposals] == expected


@given(names=NAMES, texts=TEXTS)
@settings(deadline=None, max_examples=50)
def test_a_batch_says_what_its_documents_say_alone(names, texts):
    docs = [Doc(NLP.vocab, words=words) for words in texts]
    functions = functions_of(names)
    together = functions[0].family.propose(docs)
    for function in functions:
        assert [list(function(doc)) for doc in docs] == [said[function.name] for said in together]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=300), st.integers(1, 8))
def test_every_key_is_found_and_no_other(numbers, bits):
    keys = np.unique(np.array(numbers, dtype=np.uint64))
    bounds = search.bucket_bounds(keys, bits)
    if len(keys):
        assert search.find_rows(keys, keys, bounds).tolist() == list(range(len(keys)))
    others = np.setdiff1d(keys ^ np.uint64(1), keys)
    assert (search.find_rows(others, keys, bounds) == -1).all()


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 5)), max_size=60),
    st.integers(0, 1),
)
def test_left_to_right_keeps_what_a_loop_keeps(steps, gap):
    start = np.cumsum([step + 1 for step, _ in steps]).astype(np.int32)
    end = start + np.array([length for _, length in steps], dtype=np.int32)
    expected, limit = [], 0
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        expected.append(first >= limit)
        limit = last + gap if expected[-1] else limit
    assert search.left_to_right(start, end.astype(np.int32), gap).tolist() == expected


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=100))
def test_the_filter_never_denies_what_is_there(numbers):
    keys = np.array(numbers, dtype=np.uint64)
    half = len(keys) // 2
    filters = build_filter(keys[:half], keys[half:])
    assert (search.filter_bits(keys[:half], filters) & search.ENDS).all()
    assert (search.filter_bits(keys[half:], filters) & search.CONTINUES).all()


def test_names_longer_than_the_limit_are_left_out():
    (cased, *_) = functions_of(["one two", " ".join("abcdefghijk")])
    assert list(cased(Doc(NLP.vocab, words=list("abcdefghijk")))) == []
