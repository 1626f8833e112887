"""The rows of the paper's tables: what each is called, what it is made from, and how.

``Material`` goes in, a posterior over its documents comes out, kept in the work folder. Rows whose
names begin with ``prior_`` compare starts of the label model.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from silverspan.aggregation import aggregators
from silverspan.aggregation.posterior import Posterior
from silverspan.baselines.source_trained import named
from silverspan.errors import SilverspanError
from silverspan.labelling.presets import group_of
from silverspan.training import train
from silverspan.training.annotations import posterior_of
from silverspan.workspace.fingerprint import fingerprint

from . import adaptation
from .kept import Made, NotRunError
from .material import Material, Scored

logger = logging.getLogger(__name__)

#: The OntoNotes model: a row of its own, and the function that the paper's priors trust most.
ONTONOTES = "core_web_md"
_GROUPS = ("neural", "gazetteers", "heuristics", "document_level", "custom")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table. ``inputs`` tells all that it is made from; ``make`` makes it."""

    name: str
    title: str
    inputs: Callable[[Material], str]
    make: Callable[[Material], Posterior]
    #: Which documents it is about: all, or the sample of sentences.
    of: Callable[[Material], Scored] = field(default=lambda material: material.all)


def rows_of(settings: Mapping[str, Any]) -> dict[str, Row]:
    """Return every row, in the order of the tables."""
    rows = [
        _model("ontonotes", "OntoNotes-trained NER", "mv", only=ONTONOTES),
        _model("mv", "Majority voting (MV)", "mv"),
        _model("mv_2", "MV, two votes at least", "mv", threshold=2),
        _model("acc", "Accuracy model (ACC)", "acc"),
        _model("cv", "Confusion vector (CV)", "cv"),
        _model("cm", "Confusion matrix (CM)", "cm"),
        _model("seq", "Sequential confusion matrix (SEQ)", "seq"),
        _model("dcm", "Dependent confusion matrix (DCM)", "dcm"),
        _model("snorkel", "Snorkel-aggregated labels", "snorkel"),
        _baseline("source", "Source-trained NER", "source", settings),
        _baseline("msda", "mSDA", "msda", settings),
        *_adaptabert(settings),
        _model("hmm_ner", "HMM, only NER models", "hmm", groups=("neural",)),
        _model("hmm_gazetteers", "HMM, only gazetteers", "hmm", groups=("gazetteers",)),
        _model("hmm_heuristics", "HMM, only heuristics", "hmm", groups=("heuristics",)),
        _model(
            "hmm_local",
            "HMM, all but document level",
            "hmm",
            groups=("neural", "gazetteers", "heuristics", "custom"),
        ),
        _model("hmm", "HMM, all functions", "hmm"),
        _student("student", "Student trained on the HMM", settings),
        *_priors(settings),
    ]
    return {row.name: row for row in rows}


def make(row: Row, material: Material) -> None:
    """Make a row if what it is made from has changed, and keep it.

    Raises:
        NotRunError: something that it needs is not here, or it cannot work on these votes.
    """
    made_from = row.inputs(material)
    if material.kept.is_fresh(row.name, made_from):
        return
    logger.info("%s ...", row.title)
    began = time.process_time()
    try:
        posterior = row.make(material)
    except SilverspanError as error:
        raise NotRunError(str(error).split("\n")[0]) from error
    seconds = round(time.process_time() - began, 1)
    material.kept.write(Made(row=row.name, made_from=made_from, seconds=seconds), posterior)
    logger.info("%s: %.0f s of processor time", row.title, seconds)


def _model(
    name: str,
    title: str,
    model: str,
    *,
    only: str | None = None,
    groups: tuple[str, ...] = _GROUPS,
    of: Callable[[Material], Scored] = lambda material: material.all,
    **options: Any,
) -> Row:
    """Return the row of a label model, fitted on the votes that are scored."""

    def chosen(scored: Scored) -> list[str]:
        names = [
            function
            for function in scored.votes.functions
            if (group_of(function) in groups if only is None else function == only)
        ]
        if not names:
            raise NotRunError(f"the votes have no function of {only or ', '.join(groups)}")
        return names

    def fit(material: Material) -> Posterior:
        scored = of(material)
        votes = scored.votes.select(chosen(scored))
        return aggregators[model](**options).fit(votes).posterior(votes)

    def inputs(material: Material) -> str:
        scored = of(material)
        return fingerprint(model, options, chosen(scored), scored.made_from)

    return Row(name=name, title=title, inputs=inputs, make=fit, of=of)


def _baseline(
    name: str, title: str, method: str, settings: Mapping[str, Any], seed: int = 1
) -> Row:
    """Return the row of an adaptation baseline."""
    own = settings["rows"].get(method, {})
    most = settings.get("baselines", {}).get("source_sentences")

    def predict(material: Material) -> Posterior:
        return adaptation.predict(
            method,
            own.get("options", {}),
            material.sources(most),
            material.targets(),
            labels=material.all.votes.space.outputs,
            mapping=settings["source_labels"],
            seed=seed,
            bfloat16=own.get("bfloat16", False),
        )

    return Row(
        name=name,
        title=title,
        inputs=lambda material: fingerprint(method, own, most, seed, material.source_print),
        make=predict,
    )


def _adaptabert(settings: Mapping[str, Any]) -> list[Row]:
    """Return the rows of AdaptaBERT and of the mean of several; each member is kept alone."""
    method = "adaptabert"
    size = int(settings["rows"].get(method, {}).get("ensemble", 5))
    members = [_baseline(method, "AdaptaBERT", method, settings)]
    members += [
        _baseline(f"{method}_{seed}", f"AdaptaBERT, seed {seed}", method, settings, seed)
        for seed in range(2, size + 1)
    ]

    def mean(material: Material) -> Posterior:
        for member in members:
            make(member, material)
        found = [material.kept.posterior(member.name) for member in members]
        return adaptation.mean(found, material.targets())

    ensemble = Row(
        name=f"{method}_ensemble",
        title=f"AdaptaBERT, ensemble of {size}",
        inputs=lambda material: fingerprint([member.inputs(material) for member in members]),
        make=mean,
    )
    return [members[0], ensemble]


def _student(name: str, title: str, settings: Mapping[str, Any]) -> Row:
    """Return the row of the student: trained on the posterior of the HMM, run on the same texts."""
    own = settings["rows"].get(name, {})
    teacher = _model("hmm", "HMM, all functions", "hmm")

    def learn(material: Material) -> Posterior:
        make(teacher, material)
        silver = material.kept.posterior("hmm")
        options = own.get("options", {})
        nlp = train(silver, material.targets(), trainer="soft_tagger", seed=1, **options)
        docs = material.targets(nlp.vocab)
        tagger: Any = nlp.get_pipe("silver_tagger")
        return named(posterior_of(tagger.distributions(docs), silver.labels, "paths"), docs)

    return Row(
        name=name,
        title=title,
        inputs=lambda material: fingerprint(own, teacher.inputs(material)),
        make=learn,
    )


#: Rough precision and recall by kind of function, set beforehand and the same for every label.
_ROUGH = {
    "neural": (0.8, 0.7),
    "gazetteers": (0.7, 0.3),
    "heuristics": (0.8, 0.5),
    "document_level": (0.8, 0.5),
    "custom": (0.7, 0.5),
}


def _priors(settings: Mapping[str, Any]) -> list[Row]:
    """Return the rows that compare informative starts with an uninformative one."""
    outputs = settings["labels"]

    def start_options(start: str, functions: tuple[str, ...]) -> dict[str, Any]:
        options: dict[str, Any] = {"start": start, "fallback": False}
        if start == "table":
            options["reliabilities"] = {
                name: dict.fromkeys(outputs, _ROUGH[group_of(name)]) for name in functions
            }
            if ONTONOTES in functions:
                options["reliable"] = ONTONOTES
        if start == "uninformative":
            # No pseudo-counts of the start either: they would be a prior.
            options["anchor"] = 0.0
        return options

    def row(emission: str, start: str, where: str) -> Row:
        def of(material: Material) -> Scored:
            return material.all if where == "all" else material.sample

        def options(material: Material) -> dict[str, Any]:
            return {"emission": emission, **start_options(start, of(material).votes.functions)}

        def fit(material: Material) -> Posterior:
            votes = of(material).votes
            return aggregators["hmm"](**options(material)).fit(votes).posterior(votes)

        return Row(
            name=f"prior_{emission}_{start}_{where}",
            title=f"HMM, {emission}, start {start}, {where}",
            inputs=lambda material: fingerprint(options(material), of(material).made_from),
            make=fit,
            of=of,
        )

    return [
        row(emission, start, where)
        for emission in ("dirichlet", "categorical")
        for start in ("table", "vote", "uninformative")
        for where in ("all", "sample")
    ]
