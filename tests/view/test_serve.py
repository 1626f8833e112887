"""The server takes a port that is free, and stops cleanly."""

import socket

import pytest

from silverspan.cli.main import main
from silverspan.errors import InputError
from tests.pipeline.conftest import write_project

pytest.importorskip("starlette", reason="the extra `view` is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra `view` is not installed")


def test_a_port_in_use_is_told_before_an_address_is_announced():
    from silverspan.view import Library, serve  # noqa: PLC0415

    announced = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=rf"port {port} cannot be used.*--port"):
            serve(Library.__new__(Library), port=port, announce=announced.append)
    assert not announced


def test_an_interrupt_ends_serving_without_an_error(monkeypatch):
    from silverspan.view import Library, serve  # noqa: PLC0415

    def interrupted(server, sockets):
        assert sockets[0].getsockname()[1] == port
        raise KeyboardInterrupt

    monkeypatch.setattr("silverspan.view.server.make_app", lambda library, token: None)
    monkeypatch.setattr(uvicorn.Server, "run", interrupted)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    announced = []
    serve(Library.__new__(Library), port=port, announce=announced.append)
    assert announced[0].startswith(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--against", "nowhere.jsonl"], "no predictions to compare with"),
        (["--gold", "gold.txt"], "--gold"),
        (["--gold", "damaged.jsonl"], "damaged.jsonl:1"),
    ],
)
def test_wrong_options_are_told_before_any_work(tmp_path, monkeypatch, capsys, options, message):
    write_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "damaged.jsonl").write_text("{\n")
    assert main(["view", str(tmp_path), *options]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert not (tmp_path / "output").exists()
