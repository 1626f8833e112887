"""The demonstration corpus: its articles are well-formed and its two JSONL files are up to date."""

import importlib.util
import sys
from pathlib import Path

import pytest
import spacy

SCRIPT = Path(__file__).parents[2] / "examples" / "newswire" / "build.py"
FEWEST_ARTICLES = 60


@pytest.fixture(scope="module")
def build():
    specification = importlib.util.spec_from_file_location("newswire_build", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module  # dataclasses look their module up by name
    specification.loader.exec_module(module)
    yield module
    del sys.modules[specification.name]


@pytest.fixture(scope="module")
def articles(build):
    return build.read_articles()


def padded(start):
    """Return an article that starts as given and has words enough."""
    return f"HEADLINE\n\n{start} {'word ' * 160}"


def test_no_article_has_a_problem(build, articles):
    assert build.check(articles) == []


def test_the_built_files_are_up_to_date(build, articles):
    assert build.stale(articles) == []


def test_there_are_articles_enough(articles):
    assert len(articles) >= FEWEST_ARTICLES


def test_every_label_is_used(build, articles):
    used = {label for article in articles for _, _, label in article.entities}
    assert used == build.LABELS


def test_markup_is_taken_out_and_offsets_point_at_the_surface(build):
    article = build.parse("001-x", "[Oslo](GPE) pays [5 kroner](MONEY).\n")
    assert article.text == "Oslo pays 5 kroner."
    surfaces = [(article.text[start:end], label) for start, end, label in article.entities]
    assert surfaces == [("Oslo", "GPE"), ("5 kroner", "MONEY")]


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (padded("[Oslo](CITY)"), "001-x.txt:3: unknown label 'CITY' on 'Oslo'"),
        (padded("[](GPE)"), "001-x.txt:3: an empty span labelled GPE"),
        (padded("[Os](GPE)lo"), "001-x.txt:3: 'Os' cuts a token; the tokens there are: Oslo"),
        (padded("[bank of [Oslo](GPE)](ORG)"), "001-x.txt:3: a bracket outside markup"),
        (padded("[Oslo](GPE"), "001-x.txt:3: a bracket outside markup"),
        ("HEADLINE\n\ntoo short", "001-x.txt:1: 3 words; an article has 150 to 300"),
        ("HEADLINE\n" + "word " * 160, "001-x.txt:1: the headline must be followed"),
    ],
)
def test_a_malformed_article_is_reported_with_file_and_line(build, marked, message):
    problems = list(build.problems_of(build.parse("001-x", marked), spacy.blank("en")))
    assert any(problem.startswith(message) for problem in problems), problems


def test_all_problems_are_reported_at_once(build):
    articles = [build.parse("001-x", padded("[a](B) [c](D)")), build.parse("001-y", "short")]
    assert len(build.check(articles)) == 5
