"""The pages over HTTP, on loopback only, for the one who started it.

Every address begins with a random token; another host name, another origin, or anything but GET is
refused; scripts run only with the nonce of the page.
"""

import contextlib
import secrets
import socket
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from silverspan.errors import InputError
from silverspan.report.html import hue
from silverspan.view.library import DocumentPage, Library

_PAGE = 50
_ORDERS = ("corpus", "uncertainty", "conflict", "spans")


def make_app(library: Library, *, token: str, host: str = "127.0.0.1") -> Starlette:
    """Return the application that shows a library under ``/TOKEN/``."""
    environment = Environment(
        loader=PackageLoader("silverspan.view"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    hues = {label: hue(i) for i, label in enumerate(library.labels)}

    def page(request: Request, name: str, **values: Any) -> HTMLResponse:
        html = environment.get_template(name).render(
            base=f"/{token}", nonce=request.state.nonce, title=library.title, hues=hues, **values
        )
        return HTMLResponse(html)

    def documents(request: Request) -> Response:
        query = request.query_params
        order = query.get("order", "corpus")
        label = query.get("label", "")
        text = query.get("text", "")[:200]
        if order not in _ORDERS or (label and label not in library.labels):
            return PlainTextResponse("no such order or label", status_code=400)
        number = query.get("page", "1")
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            return PlainTextResponse("no such page", status_code=400)
        rows = library.find(text=text, label=label, order=order)  # type: ignore[arg-type]  # checked above
        pages = max(1, -(-len(rows) // _PAGE))
        shown = min(max(int(number), 1), pages)
        return page(
            request,
            "documents.html",
            rows=rows[(shown - 1) * _PAGE : shown * _PAGE],
            total=len(rows),
            page=shown,
            pages=pages,
            text=text,
            label=label,
            order=order,
            orders=_ORDERS,
            labels=library.labels,
        )

    def document(request: Request) -> Response:
        number = request.path_params["number"]
        if number >= len(library.rows):
            return PlainTextResponse("no such document", status_code=404)
        found = library.document(number)
        return page(
            request,
            "document.html",
            document=found,
            lines=lines(found),
            last=len(library.rows) - 1,
        )

    app = Starlette(
        routes=[
            Route(f"/{token}/", documents, methods=["GET"]),
            Route(f"/{token}/document/{{number:int}}", document, methods=["GET"]),
        ]
    )
    app.add_middleware(BaseHTTPMiddleware, dispatch=_guard(host))
    return app


def _guard(
    host: str,
) -> Callable[[Request, Callable[[Request], Awaitable[Response]]], Awaitable[Response]]:
    async def guard(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        # A page elsewhere can make the browser ask us under a name of its own that leads here.
        if request.headers.get("host", "").rpartition(":")[0] not in (host, "localhost"):
            return PlainTextResponse("wrong host", status_code=421)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return PlainTextResponse("wrong origin", status_code=403)
        request.state.nonce = secrets.token_urlsafe(16)
        response = await call_next(request)
        nonce = request.state.nonce
        response.headers["Content-Security-Policy"] = (
            f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; "
            "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        return response

    return guard


def lines(found: DocumentPage) -> list[dict[str, Any]]:
    """Return a document as lines of tokens, each with the layers that say something of it."""
    bounds = [*found.breaks, len(found.tokens)]
    result = []
    for start, end in pairwise(bounds):
        layers: list[dict[str, Any]] = []
        for layer in found.layers:
            cells = [
                {
                    "from": max(a, start) - start + 2,
                    "to": min(b, end) - start + 2,
                    "label": label,
                    "probability": f"{probability:.2f}",
                    "text": " ".join(found.tokens[a:b]),
                }
                for a, b, label, probability in layer.spans
                if a < end and start < b
            ]
            if cells:
                row = len(layers) + 2
                layers.append({"name": layer.name, "kind": layer.kind, "row": row, "cells": cells})
        result.append({"tokens": found.tokens[start:end], "layers": layers})
    return result


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
        announce(f"http://{host}:{port}/{token}/")
        # The server stops by itself when interrupted, then passes the signal on.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
