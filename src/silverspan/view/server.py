"""The pages over HTTP, on loopback only, for the one who started it."""

import contextlib
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from silverspan.errors import InputError, SilverspanError
from silverspan.report.pictures.svg import visible
from silverspan.view.changes import Changes
from silverspan.view.guard import RefusedError, form_of, guard
from silverspan.view.library import Library
from silverspan.view.pages import Pages

Answer = Callable[[Request, Mapping[str, str]], Response]


def make_app(library: Library, *, token: str, host: str = "127.0.0.1") -> Starlette:
    """Return the application that shows a library under ``/TOKEN/``."""
    secret = secrets.token_urlsafe(16)
    pages = Pages(library, token=token, secret=secret)
    changes = Changes(pages)

    def posted(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            form = await form_of(request, secret)
            return await run_in_threadpool(answer, request, form)

        return respond

    shown: dict[str, Callable[[Request], Response]] = {
        "/": pages.documents,
        "/document/{number:int}": pages.document,
        "/document/{number:int}/why": pages.why,
        "/functions": pages.functions,
        "/function/{number:int}": pages.function,
        "/compare": pages.compare,
        "/review": pages.review,
        "/next": pages.next,
        "/view.css": pages.style,
        "/view.js": pages.script,
    }
    changing: dict[str, Answer] = {
        "/document/{number:int}/judge": changes.judge,
        "/document/{number:int}/rule": changes.rule,
        "/undo": changes.undo,
    }
    app = Starlette(
        routes=[
            *(Route(f"/{token}{path}", page, methods=["GET"]) for path, page in shown.items()),
            *(
                Route(f"/{token}{path}", posted(answer), methods=["POST"])
                for path, answer in changing.items()
            ),
        ],
        exception_handlers={SilverspanError: _explain},
    )
    app.add_middleware(BaseHTTPMiddleware, dispatch=guard(token, host))
    return app


def _explain(request: Request, error: Exception) -> Response:
    """Return what is wrong in words: a mistake of the asker, or a file that changed under us."""
    status = error.status if isinstance(error, RefusedError) else 422
    return PlainTextResponse(visible(str(error)), status_code=status)


def serve(library: Library, *, port: int, announce: Callable[[str], None]) -> None:
    """Serve until interrupted; ``announce`` is told the address first.

    Raises:
        InputError: the port is taken, or not ours to use.
    """
    import uvicorn  # noqa: PLC0415 (an extra)

    token = secrets.token_urlsafe(16)
    host = "127.0.0.1"
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise InputError(
            f"port {port} cannot be used: {error.strerror}; choose another with --port"
        ) from None
    with listener:
        server = uvicorn.Server(uvicorn.Config(make_app(library, token=token), log_level="warning"))
        announce(f"http://{host}:{listener.getsockname()[1]}/{token}/")
        # The server stops by itself when interrupted, then passes the signal on.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
