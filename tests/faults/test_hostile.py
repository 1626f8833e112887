"""Hostile texts, ids, labels and names come out of every door as text, and as nothing else."""

import gzip
import json
import re
from html.parser import HTMLParser

import pytest

from silverspan.cli.main import main
from silverspan.corpus import Corpus, files, load_pipeline
from silverspan.errors import InputError, SilverspanError
from tests.faults import hostile
from tests.faults.harness import said_one_error, time_limit

FORMATS = {
    "docbin": "out.spacy", "conll": "out.conll", "jsonl": "out.jsonl", "parquet": "out.parquet",
    "label-studio": "out.json", "doccano": "out2.jsonl", "prodigy": "out3.jsonl",
    "argilla": "out4.jsonl",
}  # fmt: skip
#: What a terminal obeys: anything but text, line ends and tabs.
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Page(HTMLParser):
    """Finds what a browser would run in a page."""

    def __init__(self, html):
        super().__init__()
        self.runs, self.links, self._inside = [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self._inside = tag
        for name, value in attributes:
            value = value or ""
            leads = name in ("href", "src", "action", "formaction", "data")
            active = (
                value.strip()
                .lower()
                .startswith(("javascript:", "vbscript:", "data:text", "data:image/svg"))
            )
            if name.startswith("on") or (leads and active):
                self.runs.append((tag, name, value[:80]))
            if name == "href":
                self.links.append(value)
            if name == "style" and "owned" in value:
                self.runs.append((tag, name, value[:80]))

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside in ("script", "style") and hostile.MARK in data:
            # As a string of JSON it is data; as a statement it is not.
            outside = re.sub(r'"(\\.|[^"\\])*"', "", data)
            if hostile.MARK in outside:
                self.runs.append((self._inside, "text", data[:80]))


def harmless(html):
    """Assert that a page runs nothing of ours, and return its links."""
    page = Page(html)
    assert page.runs == []
    assert "<svg/onload" not in html
    return page.links


def rows(path):
    """Return the objects of a file of JSON lines, which end in LF and nothing else."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def listing(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A hostile project that was run, inside a folder that shows whether anything escaped."""
    world = tmp_path_factory.mktemp("world") / "a" / "b" / "c"
    world.mkdir(parents=True)
    labels = ["LOC", *hostile.NAMES]
    count = hostile.write(world / "project", labels)
    return world, count


def run(words, capsys, folder):
    """Run a command and return its exit code; what it printed moves no terminal."""
    capsys.readouterr()
    with time_limit(300):
        code = main([*map(str, words), str(folder)])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert OBEYED.findall(told.out + told.err) == []
    assert code == 0 or said_one_error(told.err), told.err
    return code


def test_everything_comes_through(world, tally, capsys):
    folder, count = world
    above = folder.parents[1]
    project = folder / "project"
    before = listing(above)
    assert run(["run"], capsys, project) == 0
    assert run(["status"], capsys, project) == 0
    assert run(["functions", "check"], capsys, project) == 0
    for ending in ("html", "md", "json"):
        assert run(["report", "-o", folder / f"report.{ending}"], capsys, project) == 0
    harmless((folder / "report.html").read_text(encoding="utf-8"))
    harmless((project / "output" / "report.html").read_text(encoding="utf-8"))
    json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert "<script" not in (folder / "report.md").read_text(encoding="utf-8")
    written = 0
    for format, name in FORMATS.items():
        code = run(["export", "--to", format, "-o", folder / name], capsys, project)
        # Columns cannot hold labels with blanks; everything else holds everything.
        assert (code == 0) == (folder / name).exists() == (format != "conll")
        written += code == 0
    for name in ("out.jsonl", "out2.jsonl", "out3.jsonl", "out4.jsonl"):
        assert len(rows(folder / name)) == count
    ids = [row["id"] for row in rows(folder / "out.jsonl")]
    assert ids == [row["id"] for row in rows(project / "documents.jsonl")]
    # Nothing was written anywhere else, whatever ids, labels and names look like.
    new = {name for name in listing(above) - before if not name.startswith("b/c/project/.silver")}
    outputs = {f"b/c/{name}" for name in (*FORMATS.values(), *(f"report.{e}" for e in
               ("html", "md", "json")))}  # fmt: skip
    assert {
        n for n in new if not n.startswith(("b/c/project/output", "b/c/project/__py"))
    } <= outputs
    tally.add("hostile: documents, labels and names", documents=count, exports=written, escaped=0)


def test_the_view_runs_nothing_of_it(world, tally):
    pytest.importorskip("starlette", reason="the extra `view` is not installed")
    from starlette.testclient import TestClient  # noqa: PLC0415

    from silverspan import pipeline, view  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    folder, count = world
    libraries = []

    def keep(run):
        gold = view.GoldFile(folder / "gold.jsonl", by=hostile.HTML[0])
        libraries.append(view.open_library(run, gold=gold))
        return pipeline.Outcome(stage="keep", was_fresh=True, summary="")

    pipeline.run(Project(folder / "project"), further={"keep": keep})
    app = view.make_app(libraries[0], token="secret")
    client = TestClient(app, base_url="http://127.0.0.1:8377")
    waiting = {"/secret/", *(f"/secret/document/{number}" for number in range(count))}
    seen = set()
    while waiting and len(seen) < 150:
        path = min(waiting)
        waiting.remove(path)
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code in (200, 303, 422), (path, answer.text[:300])
        assert "script-src 'nonce-" in answer.headers["content-security-policy"]
        if "html" not in answer.headers["content-type"]:
            continue
        for link in harmless(answer.text):
            link = link.partition("#")[0]
            if link.startswith("/secret/") and link not in seen and "undo" not in link:
                waiting.add(link)
    for asked in (*hostile.NAMES, "\x00", "%00"):
        for key in ("text", "label", "order", "page", "function", "layers", "at"):
            answer = client.get("/secret/", params={key: asked[:500]})
            assert answer.status_code in (200, 400, 422)
            harmless(answer.text)
    tally.add("hostile: pages of the view", pages=len(seen), injected=0)


def test_what_unpacks_to_a_thousand_times_its_size_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(files, "_SUSPICIOUS_SIZE", 1024 * 1024)
    for name in ("bomb.jsonl.gz", "bomb.txt.gz", "bomb.csv.gz", "bomb.conll.gz"):
        path = tmp_path / name
        begin = b"" if "json" in name else b"text\n"
        path.write_bytes(gzip.compress(begin + b'"' + b" " * 4 * 1024 * 1024))
        with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
            list(Corpus.read(path, load_pipeline("blank:en")))
    words = ["aggregate", str(tmp_path / "bomb.jsonl.gz"), "-o", str(tmp_path / "p.jsonl")]
    assert main(words) == 1
    assert said_one_error(capsys.readouterr().err)
    assert not (tmp_path / "p.jsonl").exists()


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.csv", "a.conll"])
def test_a_line_without_end_is_refused(tmp_path, monkeypatch, name):
    from silverspan.corpus import csv, text  # noqa: PLC0415

    for module in (files, csv, text):
        if hasattr(module, "LONGEST"):
            monkeypatch.setattr(module, "LONGEST", 1024 * 1024)
    path = tmp_path / name
    begin = b"" if name == "a.jsonl" else b"text\n"
    path.write_bytes(begin + b'"' + b"a" * 5 * 1024 * 1024)
    with pytest.raises(SilverspanError, match="1048576 bytes"):
        list(Corpus.read(path, load_pipeline("blank:en")))
