import re
from pathlib import Path

from silverspan.aggregation import Hmm

PAGE = Path(__file__).parents[3] / "docs" / "aggregation.md"


def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(compile(code, PAGE.name, "exec"), {})
    assert "PER" in capsys.readouterr().out


def test_every_setting_is_explained():
    page = PAGE.read_text()
    missing = {name for name in Hmm.__dataclass_fields__ if f"`{name}" not in page}
    assert missing <= {"rounds", "tolerance", "decoding"}
