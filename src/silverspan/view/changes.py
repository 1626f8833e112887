"""What forms do: decisions about documents, and rules for the project."""

from collections.abc import Mapping
from typing import cast, get_args

from starlette.requests import Request
from starlette.responses import Response

from silverspan.errors import SilverspanError
from silverspan.view import rules
from silverspan.view.asked import PLACE, one_of
from silverspan.view.layout import Stacking
from silverspan.view.pages import Pages
from silverspan.view.review import Verb


class Changes:
    """The forms of some pages; each leads back to a page."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._library = pages.library

    def judge(self, request: Request, form: Mapping[str, str]) -> Response:
        """Accept, reject or correct a span, finish or reopen a document."""
        number = self._pages.number(request)
        layers = one_of(form.get("layers", "merged"), get_args(Stacking), "layers")
        verb = one_of(form.get("do", ""), ("accept", "reject", "finish", "reopen"), "action")
        words = self._library.words_of(number)
        size = len(words.tokens)
        instead = None
        if verb == "finish":
            spans = self._library.open_spans(number)
        elif verb == "reopen":
            spans = []
        else:
            spans = [self._pages.span(form.get("at", ""), form.get("label", ""), size)]
            if verb == "accept" and form.get("instead"):
                place, _, label = form["instead"].partition(" ")
                old = self._pages.span(place, label, size)
                instead, verb = (old, "correct") if old != spans[0] else (None, verb)
        given = self._library.given(number)
        self._library.gold.act(words, cast(Verb, verb), spans, instead=instead, given=given)
        said = {
            "accept": "accepted",
            "reject": "rejected",
            "correct": "corrected",
            "finish": "finished",
            "reopen": "reopened",
        }[verb]
        if verb in ("finish", "reopen"):
            return self._pages.lead(f"/document/{number}", said=said, layers=layers)
        return self._pages.lead_to_open(number, spans[0], layers, said)

    def undo(self, request: Request, form: Mapping[str, str]) -> Response:
        """Take the last decision back, and lead to where it was."""
        name = self._library.gold.undo()
        number = None if name is None else self._library.number_of(name)
        layers = one_of(form.get("layers", "merged"), get_args(Stacking), "layers")
        if number is None:
            return self._pages.lead("/review", said="nothing" if name is None else "undone")
        return self._pages.lead(f"/document/{number}", said="undone", layers=layers)

    def rule(self, request: Request, form: Mapping[str, str]) -> Response:
        """Write a rule into the project file."""
        number = self._pages.number(request)
        rule = rules.Rule(
            name=form.get("name", ""),
            kind=form.get("kind", ""),
            text=form.get("text", ""),
            label=form.get("label", ""),
        )
        try:
            rules.add(self._library.project, rule, {*self._library.functions, *self._pages.rules()})
        except SilverspanError as error:
            return self._pages.show_document(request, number, problem=str(error), status=422)
        return self._pages.lead(
            f"/document/{number}",
            said="rule",
            at=form.get("at", "") if PLACE.fullmatch(form.get("at", "")) else "",
            layers=one_of(form.get("layers", "merged"), get_args(Stacking), "layers"),
        )
