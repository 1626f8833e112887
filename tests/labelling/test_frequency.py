import gzip
from importlib.resources import files

from silverspan.labelling.frequency import rank, ranks


def test_the_commonest_words_come_first():
    assert rank("the") == 1
    assert all((rank(word) or 0) <= 100 for word in ("of", "and", "you", "n't", "'s"))


def test_case_and_curly_apostrophes_do_not_matter():
    assert rank("HOUSE") == rank("house")
    assert rank("n\N{RIGHT SINGLE QUOTATION MARK}t") == rank("n't")


def test_rare_words_numbers_and_punctuation_have_no_rank():
    assert [rank(word) for word in ("Zwickauer", "1997", ",", "")] == [None] * 4


def test_ranks_are_the_numbers_from_one_without_a_gap():
    assert sorted(ranks().values()) == list(range(1, len(ranks()) + 1))
    assert len(ranks()) > 50_000


def test_the_file_names_its_source_and_licence():
    packed = files("silverspan.labelling").joinpath("data/word_frequencies_en.txt.gz").read_bytes()
    header = gzip.decompress(packed).decode()[:1000]
    assert "wordfreq" in header
    assert "CC BY-SA 4.0" in header
