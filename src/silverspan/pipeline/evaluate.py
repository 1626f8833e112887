"""The fifth stage: the label model and the student are scored against gold, where there is any."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import spacy
from spacy.tokens import Doc

from silverspan.analysis import Terms
from silverspan.analysis.gold import KINDS, pair_up
from silverspan.corpus.document import document_id
from silverspan.evaluation.chance import confidence_intervals
from silverspan.evaluation.comparison import compare
from silverspan.evaluation.matching import Counts
from silverspan.evaluation.scores import Evaluation, evaluate_spans
from silverspan.pipeline import aggregate, train
from silverspan.pipeline.card import add_scores
from silverspan.pipeline.gold import Gold, gold_of
from silverspan.pipeline.state import SCORES, TAGGER, Outcome, Run
from silverspan.workspace.fingerprint import fingerprint, of_code


def evaluate(run: Run) -> Outcome:
    """Score against gold, and write the scores."""
    gold = gold_of(run)
    settings = run.project.settings
    has_student = settings.training.trainer is not False
    if not gold:
        run.output.remove(SCORES)
        if has_student:
            add_scores(run, train.made_from(run), {})
        return Outcome(stage="evaluate", was_fresh=True, summary="no gold to score against")
    made = fingerprint(
        of_code("evaluation", "analysis"),
        settings.evaluation.model_dump(),
        {name: each.spans for name, each in gold.items()},
        train.made_from(run) if has_student else aggregate.made_from(run),
    )
    fresh = run.output.is_fresh(SCORES, made)
    if not fresh:
        found = {"silver": _silver(run, gold)}
        if has_student:
            found["student"] = _student(run, gold)
        scores = {name: score(run, gold, spans) for name, spans in found.items()}
        terms = "".join(f"\n{line}" for line in scores["silver"].terms())
        content = {
            name: {
                **each.to_json(),
                "intervals": _intervals(each),
                "errors": _errors(run, gold, found[name]),
            }
            for name, each in scores.items()
        }
        if has_student:
            difference = compare(scores["student"], scores["silver"])
            content["student"]["against_silver"] = difference.to_json()
        run.output.write(
            SCORES,
            made,
            (json.dumps(content, indent=2) + "\n").encode(),
            note={
                "text": _table(scores) + (f"\n{terms}" if terms else ""),
                "f1": {name: s.f1 for name, s in scores.items()},
            },
        )
    note = run.output.note(SCORES)
    details = json.loads(run.output.read(SCORES))
    if has_student:
        add_scores(run, train.made_from(run), details)
    return Outcome(
        stage="evaluate",
        was_fresh=fresh,
        summary=", ".join(f"{name} F1 {f1:.3f}" for name, f1 in note["f1"].items()),
        details=details,
        text=note["text"],
    )


#: Spans by document.
Found = dict[str, list[tuple[int, int, str, float]]]


def _silver(run: Run, gold: Mapping[str, Gold]) -> Found:
    found: Found = {}
    for number in _shards(gold):
        spans = run.posterior(number).spans
        found |= {n: spans.of(each.number) for n, each in gold.items() if each.shard == number}
    return found


def _student(run: Run, gold: Mapping[str, Gold]) -> Found:
    student = spacy.load(run.output.path(TAGGER))
    names: list[str] = []

    def bare() -> Iterator[Doc]:
        """Yield the documents with gold, without anything a student may not see."""
        for number in _shards(gold):
            for doc in run.shard(number).docs():
                if document_id(doc) not in gold:
                    continue
                names.append(document_id(doc))
                yield Doc(
                    student.vocab,
                    words=[token.text for token in doc],
                    spaces=[bool(token.whitespace_) for token in doc],
                )

    tagged = [[(e.start, e.end, e.label_, 1.0) for e in doc.ents] for doc in student.pipe(bare())]
    return dict(zip(names, tagged, strict=True))


def _shards(gold: Mapping[str, Gold]) -> list[int]:
    """Return the shards with gold: no other is read."""
    return sorted({each.shard for each in gold.values()})


def score(run: Run, gold: Mapping[str, Gold], found: Found) -> Evaluation:
    """Return the scores of spans by document, on the terms of the project file."""
    settings = run.project.settings.evaluation
    scores = evaluate_spans(
        [each.spans for each in gold.values()],
        [found[name] for name in gold],
        lengths=[len(each.tokens) for each in gold.values()],
        labels=settings.labels or run.project.space.outputs,
        mapping={**run.project.space.finer, **settings.map},
        views=settings.views,
        tokens=[each.tokens for each in gold.values()],
        normalisations=settings.normalise,
    )
    return scores.grouped([each.group for each in gold.values()])


def terms_of(run: Run) -> Terms:
    """Return the terms on which the project compares with gold."""
    settings = run.project.settings.evaluation
    return Terms(
        mapping={**run.project.space.finer, **settings.map},
        labels=tuple(settings.labels or run.project.space.outputs),
        normalisations=tuple(settings.normalise),
    )


def _errors(run: Run, gold: Mapping[str, Gold], found: Found) -> dict[str, dict[str, int]]:
    """Return how many spans were what, by kind and then by label."""
    terms = terms_of(run)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for name, each in gold.items():
        said = [(start, end, label) for start, end, label, _ in found[name]]
        pairs = pair_up(terms.spans(each.spans, each.tokens), terms.spans(said, each.tokens))
        for kind, one, two in pairs:
            counts[kind].update(span[2] for span in (one or two,) if span)
    return {kind: dict(sorted(own.items())) for kind, own in counts.items()}


def _intervals(scores: Evaluation) -> dict[str, Any]:
    """Return the bootstrap intervals of the strict scores, of all labels and of each."""
    return {
        "micro": confidence_intervals(scores.by_document),
        "labels": {name: confidence_intervals(own) for name, own in scores.by_label.items()},
    }


def _table(scores: dict[str, Evaluation]) -> str:
    """Return precision, recall and F1 of every label, the systems side by side."""
    first = next(iter(scores.values()))
    view = next(iter(first.entities))
    # A label that one system never says, and gold has not either, is missing in its scores.
    labels = sorted({name for each in scores.values() for name in each.entities[view].labels})
    width = max(len(label) for label in ("all labels", *labels))
    head = f"entities, {view}".ljust(width) + "".join(f"   {name:^23}" for name in scores)
    lines = [head, " " * width + "   P       R       F1     " * len(scores)]
    for label in (*labels, None):
        cells = []
        for each in scores.values():
            found = each.entities[view]
            counts = found.micro if label is None else found.labels.get(label, Counts())
            cells.append(f"   {counts.precision:.3f}   {counts.recall:.3f}   {counts.f1:.3f} ")
        lines.append((label or "all labels").ljust(width) + " ".join(cells))
    return "\n".join(lines)
