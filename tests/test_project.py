import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.errors import ProjectError
from silverspan.project import Project

GOOD = """
[corpus]
path = "news.jsonl"

[labels]
output = ["PER", "LOC"]
map = { GPE = "LOC" }
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        (tmp_path / "silverspan.toml").write_bytes(
            text if isinstance(text, bytes) else text.encode()
        )
        return tmp_path

    return write


def test_a_small_project_file_needs_only_a_corpus_and_labels(written):
    project = Project(written(GOOD))
    assert project.space.outputs == ("PER", "LOC")
    assert project.corpus_paths == [str(project.directory / "news.jsonl")]
    assert project.settings.model.name == "hmm"


def test_the_file_itself_may_be_named(written):
    assert Project(written(GOOD) / "silverspan.toml").settings == Project(written(GOOD)).settings


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD + "[model]\nnam = 'mv'", 9, r"unknown key 'model.nam'; did you mean 'name'\?"),
        (GOOD + "[modell]\nname = 'mv'", 8, r"unknown key 'modell'; did you mean 'model'\?"),
        (GOOD + "[model]\nname = 3", 9, r"model.name = 3: input should be a valid string"),
        (GOOD.replace('path = "news.jsonl"', ""), 2, r"the key 'corpus.path' is missing"),
        ('[labels]\noutput = ["A"]', None, r"the key 'corpus' is missing"),
        (
            GOOD + "[functions]\non_error = 'ignore'",
            9,
            r"functions.on_error = 'ignore': allowed are 'raise' or 'skip'",
        ),
        (GOOD.replace('"LOC" }', '"PLACE" }'), 5, r"'GPE' maps to 'PLACE', which is no output"),
        (GOOD + "[project]\nseed = -1", 9, r"project.seed = -1"),
        (GOOD + "[project]\nseed = " + "9" * 5000, None, "not usable TOML"),
        (GOOD + "x = " + "[" * 100_000, None, "not"),
        ("[corpus", 1, "not TOML"),
        (b"[corpus]\npath = '\xff'", 2, "not UTF-8"),
        ("", None, "the key 'corpus' is missing"),
    ],
)
def test_a_wrong_project_file_names_the_key_and_the_line(written, text, line, message):
    with pytest.raises(ProjectError, match=message) as caught:
        Project(written(text))
    assert caught.value.line == line


def test_no_project_file_says_how_to_make_one(tmp_path):
    with pytest.raises(ProjectError, match="silverspan init"):
        Project(tmp_path)


KEYS = [
    ("project", "seed"),
    ("corpus", "path"),
    ("corpus", "shard_size"),
    ("labels", "output"),
    ("labels", "map"),
    ("labels", "coarse"),
    ("functions", "preset"),
    ("functions", "files"),
    ("functions", "only"),
    ("functions", "options"),
    ("model", "name"),
    ("model", "options"),
    ("training", "trainer"),
    ("evaluation", "gold"),
    ("evaluation", "views"),
    ("output", "directory"),
]
VALUES = ["-1", "1e400", "nan", "true", "[]", "[[]]", "{}", '""', "1979-05-27", '{ a = "b" }', "0"]


@pytest.mark.parametrize("key", KEYS, ids=".".join)
@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_another_type_is_accepted_or_named(written, key, value):
    table, name = key
    required = {"corpus": ["path = 'x'"], "labels": ["output = ['A']"]}
    tables = {**required, table: [*required.get(table, []), f"{name} = {value}"]}
    tables[table] = [line for line in tables[table][:-1] if not line.startswith(name)] + [
        tables[table][-1]
    ]
    text = "".join(f"[{head}]\n" + "\n".join(lines) + "\n" for head, lines in tables.items())
    try:
        Project(written(text))
    except ProjectError as error:
        assert table in str(error)  # noqa: PT017 (either outcome is right)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_a_project_file_fail_otherwise(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("project") / "silverspan.toml"
    path.write_bytes(content)
    with pytest.raises(ProjectError):
        Project(path)


def test_a_gazetteer_serves_its_four_functions_from_the_project_s_folder(written):
    text = GOOD + '[functions.gazetteers]\nwiki = "wiki.gaz"\n'
    text += "[functions.options.wiki_cased]\nsubset = 'small'\n"
    project = Project(written(text))
    options = project.function_options
    assert sorted(options) == [
        "multitoken_wiki_cased",
        "multitoken_wiki_uncased",
        "wiki_cased",
        "wiki_uncased",
    ]
    assert options["wiki_cased"] == {"file": str(project.directory / "wiki.gaz"), "subset": "small"}


def test_an_evaluation_without_a_view_is_refused(tmp_path):
    settings = '[corpus]\npath = "a"\n[labels]\noutput = ["LOC"]\n[evaluation]\nviews = []\n'
    (tmp_path / "silverspan.toml").write_text(settings)
    with pytest.raises(ProjectError, match=r"evaluation.views = \[\]: list should have at least 1"):
        Project(tmp_path)
