"""``silverspan functions``: what is registered, what it says of a text, is its contract kept."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from silverspan.cli import output
from silverspan.cli.run import add_project

if TYPE_CHECKING:
    from silverspan.labelling.function import LabellingFunction, Proposal


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|check")
    listing = _action(
        actions,
        "list",
        "every function that can be used by name",
        "silverspan functions list --project news",
    )
    listing.add_argument("--project", metavar="PROJECT", help="the functions of this project")
    output.add_common_options(listing)
    show = _action(
        actions,
        "show",
        "what one function says of a text",
        'silverspan functions show date_detector --text "It closed on 3 May 2019."',
    )
    show.add_argument("name", metavar="NAME")
    show.add_argument("--text", required=True, help="the text to mark")
    show.add_argument("--project", metavar="PROJECT", help="the project that has the function")
    show.add_argument("--pipeline", metavar="NAME", default="en", help="reads the text")
    output.add_common_options(show)
    check = _action(
        actions,
        "check",
        "run functions over a project's corpus: do they work",
        "silverspan functions check news date_detector --documents 20",
    )
    add_project(check)
    check.add_argument("names", metavar="NAME", nargs="*", help="only these; default: all")
    check.add_argument(
        "--documents", metavar="N", type=output.positive, default=100, help="at most so many"
    )
    output.add_common_options(check)
    parser.epilog = (
        "examples:\n"
        "  silverspan functions list --json\n"
        '  silverspan functions show date_detector --text "It closed on 3 May 2019."\n'
        "  silverspan functions check news"
    )


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    example: str,
) -> argparse.ArgumentParser:
    return actions.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says."""
    actions = {"list": _list, "show": _show, "check": _check}
    return actions[arguments.action](arguments)


def _list(arguments: argparse.Namespace) -> int:
    from silverspan.labelling.function import functions as registry  # noqa: PLC0415
    from silverspan.labelling.presets import LABELS, PAPER, group_of, select  # noqa: PLC0415

    if arguments.project:
        known, left_out = _of_project(arguments.project), {}
    else:
        # The paper's names also where no installed package provides one.
        selection = select(dict.fromkeys((*PAPER, *registry.names())))
        known, left_out = selection.functions, dict(selection.left_out)
    rows: list[dict[str, Any]] = [
        {
            "name": f.name,
            "group": f.group,
            "labels": list(f.labels),
            "needs": list(f.needs),
            "reads": list(f.reads),
            "available": True,
        }
        for f in known
    ]
    rows += [
        {
            "name": name,
            "group": group_of(name),
            "labels": list(LABELS.get(name, ())),
            "needs": [],
            "reads": [],
            "available": False,
            "reason": reason,
        }
        for name, reason in left_out.items()
    ]
    rows.sort(key=lambda row: (row["group"], row["name"]))
    if arguments.json:
        output.print_json(rows)
        return 0
    output.print_table(
        [
            {
                "name": row["name"],
                "group": row["group"],
                "labels": _short(row["labels"]),
                "needs": " ".join(row["needs"]),
            }
            for row in rows
            if row["available"]
        ]
    )
    for reason in dict.fromkeys(left_out.values()):
        names = ", ".join(name for name, other in left_out.items() if other == reason)
        output.say(f"\nnot available here: {names}\n  {reason}")
    return 0


def _short(labels: list[str], most: int = 5) -> str:
    rest = f" +{len(labels) - most}" if len(labels) > most else ""
    return " ".join(labels[:most]) + rest


def _of_project(path: str) -> "tuple[LabellingFunction, ...]":
    from silverspan.pipeline import functions_of  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    return functions_of(Project(path))


def _show(arguments: argparse.Namespace) -> int:
    from silverspan.corpus.pipelines import load_pipeline  # noqa: PLC0415
    from silverspan.errors import UnknownNameError  # noqa: PLC0415
    from silverspan.labelling.apply import (  # noqa: PLC0415
        annotation_of,
        in_order,
        label_documents,
        leave_out,
    )
    from silverspan.labelling.function import functions as registry  # noqa: PLC0415
    from silverspan.labelling.presets import select  # noqa: PLC0415

    if arguments.project:
        known = {f.name: f for f in _of_project(arguments.project)}
    elif arguments.name in registry:
        wanted = registry[arguments.name]()
        # What reads others is shown with all the others that can be had.
        others = select(registry.names()).functions if wanted.reads else ()
        known = {f.name: f for f in (*others, wanted)}
    else:
        raise UnknownNameError("labelling function", arguments.name, registry.names())
    if arguments.name not in known:
        raise UnknownNameError("labelling function of this project", arguments.name, known)
    doc = load_pipeline(arguments.pipeline, exclude=["ner"])(arguments.text)
    functions = leave_out(in_order(known.values()), annotation_of([doc]))
    [labelled] = label_documents([doc], functions, document_ids=["text"])
    said = labelled.proposals.get(arguments.name, [])
    if arguments.json:
        output.print_json(
            [
                {
                    "start": start,
                    "end": end,
                    "text": doc[start:end].text,
                    "label": label,
                    "probability": round(probability, 6),
                }
                for start, end, label, probability in said
            ]
        )
        return 0
    output.say(_marked([token.text_with_ws for token in doc], said) if said else arguments.text)
    if not said:
        output.say(f"\n{arguments.name} says nothing of this text")
    return 0


def _marked(tokens: list[str], said: "Iterable[Proposal]") -> str:
    """Return a text with its spans in brackets; several labels of a span stand side by side."""
    labels: dict[tuple[int, int], list[str]] = {}
    for start, end, label, probability in said:
        shown = label if probability == 1 else f"{label} {probability:.2f}"
        labels.setdefault((start, end), []).append(shown)
    opening: dict[int, str] = {}
    closing: dict[int, str] = {}
    for (start, end), names in labels.items():
        opening[start] = opening.get(start, "") + "["
        closing[end - 1] = f"]({' | '.join(names)})" + closing.get(end - 1, "")
    parts = []
    for i, token in enumerate(tokens):
        word = token.rstrip(" ")
        parts.append(opening.get(i, "") + word + closing.get(i, "") + token[len(word) :])
    return "".join(parts)


def _check(arguments: argparse.Namespace) -> int:
    from silverspan.errors import UnknownNameError  # noqa: PLC0415
    from silverspan.pipeline.check import check  # noqa: PLC0415
    from silverspan.project import Project  # noqa: PLC0415

    rows = check(Project(arguments.project), documents=arguments.documents)
    if unknown := set(arguments.names) - {row.function for row in rows}:
        raise UnknownNameError(
            "labelling function of this project", min(unknown), [row.function for row in rows]
        )
    chosen = [row for row in rows if not arguments.names or row.function in arguments.names]
    table = [
        {
            "function": row.function,
            "spans": row.spans,
            "tokens/s": round(row.tokens_per_second),
            "fails on": row.failures,
            "contract": row.problem or "kept",
        }
        for row in chosen
    ]
    if arguments.json:
        output.print_json(table)
    else:
        output.print_table(table, right=("spans", "tokens/s", "fails on"))
    return 1 if any(row.problem for row in chosen) else 0
