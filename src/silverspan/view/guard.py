"""Who may ask: this browser, from our own pages. Everything else is refused before it is read.

A page elsewhere can make a browser ask us, even under a name of its own that leads here (DNS
rebinding): so the host, the origin and the token in the address are checked, and what changes
something is a POST from our own page that carries the secret of the forms.
"""

import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from silverspan.errors import InputError

#: The longest body of a POST: a decision or a rule is small.
LONGEST_BODY = 64 * 1024
_FORM = "application/x-www-form-urlencoded"

Next = Callable[[Request], Awaitable[Response]]


def guard(token: str, host: str) -> Callable[[Request, Next], Awaitable[Response]]:
    """Return the middleware that lets only our own pages through."""
    hosts = (host, "localhost")

    async def check(request: Request, call_next: Next) -> Response:
        name = request.headers.get("host", "")
        if name.rpartition(":")[0] not in hosts:
            return _refused("wrong host", 421)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _refused("wrong origin", 403)
        given = request.scope["path"].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(given.encode(), token.encode()):
            return _refused("not found", 404)
        if request.method == "POST" and request.headers.get("origin") != f"http://{name}":
            return _refused("wrong origin", 403)
        request.state.nonce = secrets.token_urlsafe(16)
        return _sealed(await call_next(request), request.state.nonce)

    return check


def _refused(reason: str, status: int) -> Response:
    return _sealed(PlainTextResponse(reason, status_code=status), secrets.token_urlsafe(16))


def _sealed(response: Response, nonce: str) -> Response:
    """Return the response with headers that let nothing in but what carries the nonce."""
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; "
        "connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    # Not "no-referrer": then browsers send the origin "null" with our own forms.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response


class RefusedError(InputError):
    """What was asked cannot be done; ``status`` is that of HTTP."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status


async def form_of(request: Request, secret: str) -> dict[str, str]:
    """Return the fields of a form that one of our own pages sent.

    Raises:
        RefusedError: it is no such form, too long, or without the secret.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise RefusedError("a form was expected", 415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise RefusedError("the form is too long", 413)
    try:
        pairs = parse_qsl(
            body.decode("utf-8"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=64,
        )
    except ValueError:
        raise RefusedError("the form is damaged") from None
    fields = dict(pairs)
    if not secrets.compare_digest(fields.pop("secret", "").encode(), secret.encode()):
        raise RefusedError("the form is not of this page; load it again", 403)
    return fields
