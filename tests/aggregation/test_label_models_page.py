import re
from pathlib import Path

import pytest

from silverspan.aggregation import aggregators

PAGE = Path(__file__).parents[2] / "docs" / "label_models.md"


def test_the_code_of_the_page_runs_and_its_own_model_can_be_registered(capsys, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    space = {"__name__": "page"}
    try:
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), space)
        fitted = aggregators["first"]().fit(space["votes"])
        fitted.save(tmp_path)
        again = space["load"](tmp_path)
        assert again.describe() == fitted.describe()
    finally:
        aggregators._registered.pop("first", None)
    assert capsys.readouterr().out.count("(0, 2, 'PER'") == 2


@pytest.mark.parametrize("name", ["mv", "wmv", "acc", "cv", "cm", "seq", "dcm", "snorkel"])
def test_the_page_names_every_model_and_its_class(name):
    text = PAGE.read_text(encoding="utf-8")
    assert f"| `{name}` | `{aggregators[name].__name__}` |" in text
