"""Findings as Markdown and as JSON."""

import json
from collections.abc import Iterator, Sequence

from silverspan.analysis.gold import KINDS
from silverspan.report.findings import Findings
from silverspan.report.pictures import visible

_MEASURES = ("precision", "recall", "f1")
_SHOWN = 15


def to_json(findings: Findings) -> str:
    """Return the findings as JSON."""
    text = json.dumps(findings.to_json(), ensure_ascii=False, indent=2, allow_nan=False)
    # A lone surrogate cannot be written as UTF-8; JSON can say it.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def to_markdown(findings: Findings) -> str:
    """Return the findings as Markdown: what to look at, scores, functions, pairs, hard cases."""
    parts = [f"# {_plain(findings.title)}", *_summary(findings), *_scores(findings)]
    parts += [*_functions(findings), *_pairs(findings), *_hard(findings), *_again(findings)]
    return "\n".join(parts) + "\n"


def _summary(findings: Findings) -> Iterator[str]:
    yield ""
    yield from (f"- {name}: {count:,}" for name, count in findings.counts.items())
    if findings.analysis.suggestions:
        yield "\n## What to look at next\n"
        yield from (f"- {_plain(each.text)}" for each in findings.analysis.suggestions)


def _scores(findings: Findings) -> Iterator[str]:
    for name, score in findings.scores.items():
        for view, scores in score["entity"].items():
            yield f"\n## {name}, {view}\n"
            rows = {**scores["labels"], "all labels": scores["micro"]}
            yield from _table(
                ["label", "P", "R", "F1"],
                [[label, *(row[each] for each in _MEASURES)] for label, row in rows.items()],
            )
    gold = findings.analysis.gold
    if gold:
        yield "\n## Errors of the label model\n"
        yield from _table(
            ["label", *KINDS],
            [[label, *(gold.kinds[kind].get(label, 0) for kind in KINDS)] for label in gold.labels],
        )


def _functions(findings: Findings) -> Iterator[str]:
    yield "\n## Functions\n"
    extras = {row.function: row for row in findings.analysis.extras}
    gold = ["gold P", "gold R"] if findings.analysis.gold else []
    head = ["function", "group", "spans", "coverage", "overlap", "conflict", "same"]
    rows = []
    for row in findings.analysis.functions:
        more = extras[row.function]
        cells: list[object] = [row.function, findings.groups.get(row.function, ""), row.spans]
        cells += [row.coverage, row.overlap, row.conflict, row.redundancy]
        cells += [row.estimated_precision, row.estimated_recall]
        cells += [row.measured_precision, row.measured_recall] if gold else []
        rows.append([*cells, more.weight, more.changed, more.gain])
    yield from _table([*head, "est. P", "est. R", *gold, "weight", "changes", "gain"], rows)


def _pairs(findings: Findings) -> Iterator[str]:
    pairs = sorted(
        findings.analysis.pairs,
        key=lambda row: (-row.other_label * row.common_spans, row.first, row.second),
    )[:_SHOWN]
    if pairs:
        yield "\n## Pairs that disagree most\n"
        yield from _table(
            ["first", "second", "agree", "disagree", "common spans", "other label", "other ends"],
            [
                [
                    row.first,
                    row.second,
                    row.agreement,
                    row.disagreement,
                    row.common_spans,
                    row.other_label,
                    row.other_ends,
                ]
                for row in pairs
            ],
        )


def _hard(findings: Findings) -> Iterator[str]:
    entities = findings.analysis.entities[:_SHOWN]
    if entities:
        yield "\n## Texts worth a look\n"
        yield from _table(
            ["text", "places", "expected errors", "taken for"],
            [
                [
                    row.text,
                    row.times,
                    row.expected_errors,
                    ", ".join(f"{label} {times}" for label, times in row.labels.items()),
                ]
                for row in entities
            ],
        )
    documents = findings.analysis.hardest_documents[:_SHOWN]
    if documents:
        yield "\n## Hardest documents\n"
        yield from _table(
            ["document", "tokens", "spans", "expected errors", "contradicted"],
            [
                [row.document, row.tokens, row.spans, row.expected_errors, row.contradicted]
                for row in documents
            ],
        )


def _again(findings: Findings) -> Iterator[str]:
    yield "\n## The same again\n"
    for name, value in {**findings.versions, **findings.fingerprints}.items():
        yield f"- {name}: {_plain(value)}"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else _plain(str(value))


def _plain(text: str) -> str:
    """Return text that Markdown takes as text, but for `code`."""
    for sign, safe in (("\n", " "), ("|", "\\|"), ("<", "&lt;"), ("*", "\\*"), ("[", "\\[")):
        text = text.replace(sign, safe)
    return visible(text)
