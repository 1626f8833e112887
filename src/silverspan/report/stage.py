"""The last stage of a run: the report, written into the project's output."""

from importlib import resources

from silverspan.pipeline import aggregate, train
from silverspan.pipeline.gold import gold_of
from silverspan.pipeline.state import Outcome, Run
from silverspan.report.findings import findings_of
from silverspan.report.html import to_html
from silverspan.report.pictures import STYLE
from silverspan.workspace.fingerprint import fingerprint, of_code

REPORT = "report.html"


def _templates() -> dict[str, str]:
    """Return what the page is made of besides code."""
    folder = resources.files("silverspan.report") / "templates"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name: file.read_text(encoding="utf-8") for file in files} | {"style": STYLE}


def report(run: Run) -> Outcome:
    """Write the report if anything in it changed."""
    has_student = run.project.settings.training.trainer is not False
    made = fingerprint(
        of_code("report", "analysis", "evaluation", "observations"),
        _templates(),
        run.project.settings.model_dump(),
        train.made_from(run) if has_student else aggregate.made_from(run),
        {name: each.spans for name, each in gold_of(run).items()},
        run.pipeline,
    )
    fresh = run.output.is_fresh(REPORT, made)
    if not fresh:
        findings = findings_of(run)
        run.output.write(REPORT, made, to_html(findings).encode())
    path = run.output.path(REPORT)
    return Outcome(stage="report", was_fresh=fresh, summary=str(path), details={"path": str(path)})
