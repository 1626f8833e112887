"""The server takes a port that is free, and stops cleanly."""

import socket

import pytest

from silverspan.errors import InputError

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
