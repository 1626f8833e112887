import argparse
import io
import json
import logging
import subprocess
import sys

import pytest

from silverspan.cli import output
from silverspan.cli.main import COMMANDS, main
from silverspan.progress import track


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


ACTIONS = {
    "functions": ("list", "show", "check"),
    "gazetteer": ("build", "info", "lookup"),
    "models": ("list", "check", "train-source"),
}


@pytest.mark.parametrize(
    "words",
    [
        *([name] for name in COMMANDS),
        *([name, action] for name, actions in ACTIONS.items() for action in actions),
    ],
    ids=" ".join,
)
def test_every_help_has_an_example(words, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert text.rpartition("example")[2].count(f"silverspan {words[0]}")


def test_quiet_prints_nothing_but_errors(capsys):
    assert main(["values", "Paid on 12 May 2020.", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["values", "--language", "xx", "Paid", "-q"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")


def test_quiet_keeps_what_a_program_asked_for(capsys):
    assert main(["functions", "list", "-q", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_a_reader_that_goes_away_is_no_error_to_tell():
    command = f"{sys.executable} -m silverspan.cli.main functions list | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("name")
    assert done.stderr == ""


def test_a_message_in_a_file_stays_on_its_line(capsys):
    with output.session(argparse.Namespace(quiet=False)):
        logging.getLogger("silverspan.anything").warning("one [bold] " + "long message " * 20)
    assert capsys.readouterr().err == "one [bold] " + "long message " * 20 + "\n"


@pytest.mark.parametrize("port", ["0", "-1", "65536", "many"])
def test_a_port_that_does_not_exist_is_wrong_usage(port, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["view", "news", "--port", port])
    assert stop.value.code == 2
    assert "--port" in capsys.readouterr().err


def test_a_report_is_not_written_in_a_format_nobody_named(tmp_path, capsys):
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "report.pdf")]) == 1
    assert "html, md or json" in " ".join(capsys.readouterr().err.split())


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_results_still_go_where_standard_output_goes(monkeypatch, capsys):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with output.session(argparse.Namespace(quiet=False)):
        for _ in track(range(3), "counting", total=3):
            pass
        terminal.write("|")
        output.say("result")
        for _ in track(range(2), "again", total=2):
            pass
    assert capsys.readouterr().out == "result\n"
    before, _, after = terminal.getvalue().partition("|")
    assert "3/3" in before
    assert "counting" not in after
    assert "2/2" in after
