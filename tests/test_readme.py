"""The code of the README runs as it is printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.S)


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_of_the_readme_works_as_printed(code, tmp_path):
    (tmp_path / "readme.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "readme.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert "Joan Achebe" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks("sh"))
def test_the_commands_of_the_readme_work_as_printed(code, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e"],
        input=code,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "found.jsonl").exists()
    assert (tmp_path / "news" / "output" / "report.html").exists()


def test_the_readme_names_only_files_that_are_there():
    links = re.findall(r"\]\(((?!https?:)[^)#]+)", README.read_text())
    missing = [link for link in links if not (README.parent / link).exists()]
    assert not missing
