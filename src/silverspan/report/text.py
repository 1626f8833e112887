"""Findings as Markdown and as JSON."""

import json

from silverspan.report.findings import Findings

_MEASURES = ("precision", "recall", "f1")


def to_json(findings: Findings) -> str:
    """Return the findings as JSON."""
    return json.dumps(findings.to_json(), ensure_ascii=False, indent=2) + "\n"


def to_markdown(findings: Findings) -> str:
    """Return the findings as Markdown: counts, scores and functions."""
    lines = [f"# {_plain(findings.title)}", ""]
    lines += [f"- {name}: {count:,}" for name, count in findings.counts.items()]
    for name, score in findings.scores.items():
        for view, scores in score["entity"].items():
            lines += ["", f"## {name}, {view}", "", "| label | P | R | F1 |", "|---|---|---|---|"]
            rows = {**scores["labels"], "all labels": scores["micro"]}
            lines += [
                f"| {_plain(label)} | {' | '.join(f'{row[name]:.3f}' for name in _MEASURES)} |"
                for label, row in rows.items()
            ]
    columns = ["group", "spans", "coverage", "overlap", "conflict"]
    columns += ["precision", "recall"] if findings.scores else []
    lines += ["", "## Functions", "", f"| function | {' | '.join(columns)} |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for row in findings.functions:
        cells = [_cell(row[name]) for name in columns]
        lines.append(f"| {_plain(row['function'])} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else _plain(str(value))


def _plain(text: str) -> str:
    """Return text that Markdown takes as text."""
    return text.replace("\n", " ").replace("|", "\\|").replace("<", "&lt;")
