import subprocess
import sys

import pytest

from silverspan.cli.main import COMMANDS, main


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS)


def test_an_unknown_command_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["fly"])
    assert stop.value.code == 2
    assert "invalid choice: 'fly'" in capsys.readouterr().err


def test_importing_the_package_imports_nothing_heavy():
    heavy = "import sys, silverspan; print({*sys.modules} & {'spacy', 'torch', 'dask', 'numpy'})"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
