import re
from pathlib import Path

import pytest

from silverspan.labelling.kit.rules import KINDS
from silverspan.labelling.presets import DOCUMENT_LEVEL, HEURISTICS, PRESETS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["functions.md", "porting.md"])
def test_the_examples_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), flags=re.S))
    exec(compile(code, page, "exec"), {})
    assert capsys.readouterr().out


def test_every_heuristic_kind_and_preset_is_documented() -> None:
    text = (DOCS / "functions.md").read_text()
    for name in (*HEURISTICS, *DOCUMENT_LEVEL, *KINDS, *PRESETS):
        assert f"`{name}`" in text, name
