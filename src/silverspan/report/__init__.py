"""Reports: the findings of a run as plain data, and the writers that show them."""

from silverspan.report.examples import Example
from silverspan.report.figures import figures, write_figures
from silverspan.report.findings import Findings, findings_of
from silverspan.report.html import to_html
from silverspan.report.pictures import Layer
from silverspan.report.stage import report
from silverspan.report.text import to_json, to_markdown

__all__ = [
    "Example",
    "Findings",
    "Layer",
    "figures",
    "findings_of",
    "report",
    "to_html",
    "to_json",
    "to_markdown",
    "write_figures",
]
