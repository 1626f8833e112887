"""What each address answers: the parameters checked, the library asked, a template filled."""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any, cast, get_args
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from silverspan.errors import SilverspanError
from silverspan.report.pictures.svg import STYLE, colour_class
from silverspan.view import explained, rules, scoring
from silverspan.view.asked import PAGE, one_of, paging, place, whole
from silverspan.view.compared import compared
from silverspan.view.explained import Why
from silverspan.view.finding import Filter, Order, State
from silverspan.view.functions import findings, table
from silverspan.view.guard import RefusedError
from silverspan.view.layout import LONGEST, Stacking, parts, sentences
from silverspan.view.library import DocumentPage, Library
from silverspan.view.review import Span
from silverspan.view.shown import bar, percent, query, seen, share, signed, word

_ACTIONS = 100
#: Scores stand on every document page as long as they are quick to compute.
_SCORED_ALWAYS = 2000
_LONGEST_SEARCH = 200

#: What a page may say after something was done.
SAID: Mapping[str, str] = {
    "accepted": "Accepted.",
    "rejected": "Rejected.",
    "corrected": "Corrected.",
    "finished": "Finished: the document is gold now.",
    "reopened": "Open again.",
    "undone": "Undone.",
    "nothing": "There is nothing to undo.",
    "rule": "The rule stands in the project file. Run the project again to see what it does.",
    "all": "Every document is judged.",
}


class Pages:
    """The pages of one library under one address."""

    def __init__(self, library: Library, *, token: str, secret: str) -> None:
        self.library = library
        self.base = f"/{token}"
        self._secret = secret
        self._environment = Environment(
            loader=PackageLoader("silverspan.view"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            seen=seen, word=word, percent=percent, signed=signed, share=share
        )
        self._environment.globals.update(
            colour=lambda label: colour_class(label, library.labels), bar=bar, query=query
        )

    def _page(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        said = request.query_params.get("said", "")
        html = self._environment.get_template(name).render(
            base=self.base,
            nonce=request.state.nonce,
            secret=self._secret,
            title=self.library.title,
            labels=self.library.labels,
            functions=self.library.functions,
            said=SAID.get(said, ""),
            path=request.scope["path"].removeprefix(self.base),
            **values,
        )
        return HTMLResponse(html, status_code=status)

    # Pages -------------------------------------------------------------------------------------

    def documents(self, request: Request) -> Response:
        """Return the list of documents, filtered and ordered, a page of it."""
        asked = request.query_params
        wanted = Filter(
            text=asked.get("text", "")[:_LONGEST_SEARCH],
            label=one_of(asked.get("label", ""), ("", *self.library.labels), "label"),
            function=one_of(asked.get("function", ""), ("", *self.library.functions), "function"),
            state=cast(State, one_of(asked.get("state", ""), get_args(State), "state")),
            uncertain=asked.get("uncertain") == "1",
            disputed=asked.get("disputed") == "1",
            order=cast(Order, one_of(asked.get("order", "corpus"), get_args(Order), "order")),
        )
        numbers = self.library.find(wanted)
        shown, pages = paging(asked.get("page", "1"), len(numbers))
        rows = self.library.rows(numbers[(shown - 1) * PAGE : shown * PAGE].tolist())
        return self._page(
            request,
            "documents.html",
            rows=[(row, self._beginning(row.number, wanted.text, row.beginning)) for row in rows],
            total=len(numbers),
            every=len(self.library),
            page=shown,
            pages=pages,
            wanted=wanted,
            orders={
                "corpus": "as in the corpus",
                "value": "most worth a look",
                "uncertainty": "most uncertain",
                "conflict": "most disputed",
                "spans": "most spans",
            },
            states={"": "any", "open": "to judge", "begun": "begun", "finished": "gold"},
            asked={
                key: value
                for key, value in asked.items()
                if key in Filter.__dataclass_fields__ and value
            },
        )

    def _beginning(self, number: int, text: str, beginning: str) -> tuple[str, str, str]:
        """Return what to show of a document: before, the text searched for, after."""
        if text:
            whole = self.library.index.texts[number].as_py()
            found = re.search(re.escape(text), whole, flags=re.IGNORECASE)
            if found is not None:
                first = max(found.start() - 40, 0)
                before = whole[first : found.start()]
                # Begins with a whole word, if there is one.
                before = "… " + before.partition(" ")[2] if first else before
                return before, found[0], whole[found.end() : found.end() + 160]
        return beginning, "", ""

    def document(self, request: Request) -> Response:
        """Return one document with its layers, and why a span has its label."""
        return self.show_document(request, self.number(request))

    def show_document(
        self, request: Request, number: int, *, problem: str = "", status: int = 200
    ) -> Response:
        """Return one document, with what went wrong if something did."""
        asked = request.query_params
        page = self.library.document(number)
        stacking = one_of(asked.get("layers", "merged"), get_args(Stacking), "layers")
        chosen = self._chosen(asked, page)
        open_spans = self.library.open_spans(number)
        cuts = parts(page.breaks, len(page.tokens))
        if chosen is not None:
            part = next(i for i, (_, end) in enumerate(cuts, start=1) if chosen[0] < end)
        else:
            part = min(max(whole(asked.get("part", "1")), 1), len(cuts))
        return self._page(
            request,
            "document.html",
            status=status,
            document=page,
            number=number,
            last=len(self.library) - 1,
            stacking=stacking,
            sentences=sentences(
                page, self.library.functions, cast(Stacking, stacking), cuts[part - 1]
            ),
            part=part,
            parts=len(cuts),
            speaking=[
                (self.library.functions.index(layer.name), layer.name)
                for layer in page.layers
                if layer.kind == "function"
            ],
            earlier=self.library.earlier,
            open=open_spans,
            is_open=set(open_spans),
            scores=scoring.scores(self.library)
            if len(self.library.finished()) <= _SCORED_ALWAYS
            else None,
            problem=problem,
            **self._why(number, page, chosen),
        )

    def why(self, request: Request) -> Response:
        """Return the panel that says why a span has its label, alone."""
        number = self.number(request)
        page = self.library.document(number)
        stacking = one_of(
            request.query_params.get("layers", "merged"), get_args(Stacking), "layers"
        )
        chosen = self._chosen(request.query_params, page)
        return self._page(
            request,
            "why.html",
            document=page,
            number=number,
            stacking=stacking,
            problem="",
            **self._why(number, page, chosen),
        )

    def _why(self, number: int, page: DocumentPage, chosen: Span | None) -> dict[str, Any]:
        if chosen is None:
            return {"chosen": None}
        start, end, label = chosen
        why: Why = explained.why(self.library, number, start, end, label)
        silver = {span[:3] for span in page.silver}
        text = " ".join(page.tokens[start:end])
        original = chosen if chosen in silver | page.judgement.accepted else None
        taken = {*self.library.functions, *self.rules()}
        return {
            "chosen": chosen,
            "why": why,
            "text": text,
            "is_known": original is not None,
            "verdict": "accepted"
            if chosen in page.judgement.accepted
            else "rejected"
            if chosen in page.judgement.rejected
            else "",
            "kinds": rules.KINDS,
            "rule_name": rules.free_name(text, taken),
            "rule_text": "".join(
                token + (" " if space and i < end - 1 else "")
                for i, token, space in zip(
                    range(start, end), page.tokens[start:end], page.spaces[start:end], strict=True
                )
            ),
        }

    def rules(self) -> set[str]:
        """Return the rules of the project file as it is now."""
        try:
            return set(
                type(self.library.project)(self.library.project.file).settings.functions.rules
            )
        except SilverspanError:
            return set()

    def functions(self, request: Request) -> Response:
        """Return the table of functions."""
        rows, sort = table(self.library, request.query_params.get("sort", "group"))
        return self._page(request, "functions.html", rows=rows, sort=sort)

    def function(self, request: Request) -> Response:
        """Return what is known of one function."""
        number = request.path_params["number"]
        if number >= len(self.library.functions):
            raise RefusedError("no such function", 404)
        return self._page(
            request, "function.html", number=number, found=findings(self.library, number)
        )

    def compare(self, request: Request) -> Response:
        """Return where this run and another differ."""
        asked = request.query_params
        label = one_of(asked.get("label", ""), ("", *self.library.labels), "label")
        found = compared(self.library, label)
        shown, pages = paging(asked.get("page", "1"), 0 if found is None else len(found.documents))
        return self._page(
            request,
            "compare.html",
            found=found,
            label=label,
            page=shown,
            pages=pages,
            shown=[]
            if found is None
            else found.shown(self.library, slice((shown - 1) * PAGE, shown * PAGE)),
        )

    def review(self, request: Request) -> Response:
        """Return what has been judged, by whom, and how the label model does on it."""
        actions = sorted(
            (
                (action, name)
                for name, review in self.library.gold.reviews().items()
                for action in review.actions
            ),
            key=lambda pair: -pair[0].number,
        )
        return self._page(
            request,
            "review.html",
            scores=scoring.scores(self.library),
            finished=len(self.library.finished()),
            every=len(self.library),
            actions=[
                (action, name, self.library.number_of(name)) for action, name in actions[:_ACTIONS]
            ],
            gold=self.library.gold,
            is_named=self.library.project.gold_path is not None,
        )

    def next(self, request: Request) -> Response:
        """Lead to the document most worth a look."""
        after = request.query_params.get("after", "")
        number = self.library.next_after(whole(after) if after else None)
        if number is None:
            return self.lead("/review", said="all")
        return self.lead_to_open(number, None, request.query_params.get("layers", "merged"), "")

    def style(self, request: Request) -> Response:
        """Return the style sheet: that of the pictures, ours, and the columns of islands."""
        own = (resources.files("silverspan.view") / "static" / "view.css").read_text("utf-8")
        columns = "\n".join(
            f".n{i} {{ grid-template-columns: repeat({i}, auto); }} "
            f".every .n{i} {{ grid-template-columns: repeat({i}, auto) auto; }} "
            f".c{i} {{ grid-column-start: {i}; }} .e{i + 1} {{ grid-column-end: {i + 1}; }}"
            for i in range(1, LONGEST + 1)
        )
        toggles = "\n".join(
            f"main:has(#show-f{i}:not(:checked)) .f{i} {{ display: none; }}"
            for i in range(len(self.library.functions))
        )
        content = "\n".join((STYLE, own, columns, toggles))
        return Response(content, media_type="text/css; charset=utf-8")

    def script(self, request: Request) -> Response:
        """Return the script."""
        content = (resources.files("silverspan.view") / "static" / "view.js").read_text("utf-8")
        return Response(content, media_type="text/javascript; charset=utf-8")

    def lead_to_open(self, number: int, after: Span | None, layers: str, said: str) -> Response:
        """Lead to the next span of a document that nobody has decided about."""
        spans = self.library.open_spans(number)
        later = [span for span in spans if after is None or span >= after] or spans
        values = {"said": said, "layers": layers}
        if later:
            start, end, label = later[0]
            values |= {"at": f"{start}-{end}", "label": label}
        return self.lead(f"/document/{number}", **values)

    def lead(self, path: str, **values: str) -> Response:
        """Lead to one of our pages."""
        asked = urlencode({key: value for key, value in values.items() if value})
        return RedirectResponse(f"{self.base}{path}" + (f"?{asked}" if asked else ""), 303)

    # Parameters --------------------------------------------------------------------------------

    def number(self, request: Request) -> int:
        """Return the number of the document that an address names."""
        number: int = request.path_params["number"]
        if number >= len(self.library):
            raise RefusedError("no such document", 404)
        return number

    def _chosen(self, asked: Mapping[str, str], page: DocumentPage) -> Span | None:
        if not asked.get("at"):
            return None
        start, end = place(asked["at"], len(page.tokens))
        label = one_of(asked.get("label", ""), ("", "O", *self.library.labels), "label")
        if not label:
            label = next((s[2] for s in page.silver if s[:2] == (start, end)), "")
        return start, end, label

    def span(self, where: str, label: str, size: int) -> Span:
        """Return the span that a form names, in a document of so many tokens."""
        return (*place(where, size), one_of(label, self.library.labels, "label"))
