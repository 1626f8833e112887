"""Which labelling functions a project uses: its preset, its rules, and its own files."""

import logging
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from silverspan.errors import GazetteerError, InputError, ProjectError, UnknownNameError
from silverspan.labelling import presets
from silverspan.labelling.apply import in_order
from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.gazetteers import combine
from silverspan.labelling.gazetteers.function import VARIANTS
from silverspan.labelling.gazetteers.named import variant_function
from silverspan.labelling.kit import from_settings
from silverspan.labelling.load import load_file
from silverspan.project import Project

logger = logging.getLogger(__name__)


def functions_of(project: Project) -> tuple[LabellingFunction, ...]:
    """Return the functions of a project, in the order in which they run.

    Raises:
        ProjectError: the project names a function that is not there.
    """
    settings = project.settings.functions
    selection = _preset(project)
    found = {f.name: f for f in selection.functions}
    for name in _own_gazetteers(project, {*found, *selection.left_out}):
        found.update({f.name: f for f in _gazetteer(project, name)})
    for name, rule in settings.rules.items():
        found.update({f.name: f for f in _rule(project, name, rule)})
    for path in project.function_files:
        # The project's own function takes the place of one of the same name.
        found.update({f.name: f for f in load_file(path)})
    for key in ("only", "without"):
        for name in getattr(settings, key) or ():
            if name not in found:
                problem = UnknownNameError("labelling function of this project", name, found)
                raise ProjectError(str(problem), key=f"functions.{key}", path=project.file)
    chosen = [
        function
        for name, function in found.items()
        if (settings.only is None or name in settings.only) and name not in settings.without
    ]
    if not chosen:
        files = ", ".join(settings.files)
        raise ProjectError(
            f"{files}: no labelling function is defined at the top; mark yours with "
            "@sp.labelling_function(labels=[...])"
            if files and not found
            else "the project uses no labelling function; name a preset or a file with functions",
            key="functions",
            path=project.file,
        )
    # Gazetteers of one project are searched in one pass.
    return in_order(combine(chosen))


def load_functions(path: str | Path) -> tuple[LabellingFunction, ...]:
    """Return the functions of the project at ``path``: what a worker process calls."""
    return functions_of(Project(path))


def _own_gazetteers(project: Project, known: Container[str]) -> list[str]:
    """Return the project's gazetteers that are none of its preset's."""
    return [
        name
        for name in project.settings.functions.gazetteers
        if all(pattern.format(name) not in known for pattern in VARIANTS)
    ]


def _gazetteer(project: Project, name: str) -> list[LabellingFunction]:
    options = project.function_options
    try:
        return [
            variant_function(name, pattern, **options[pattern.format(name)]) for pattern in VARIANTS
        ]
    except GazetteerError as error:
        key = f"functions.gazetteers.{name}"
        raise ProjectError(str(error), key=key, path=project.file) from None


def _preset(project: Project) -> presets.Selection:
    settings = project.settings.functions
    try:
        selection = presets.select(settings.preset, project.function_options)
    except UnknownNameError as error:
        raise ProjectError(str(error), key="functions.preset", path=project.file) from None
    known = {*(function.name for function in selection.functions), *selection.left_out}
    known |= {
        pattern.format(name) for name in _own_gazetteers(project, known) for pattern in VARIANTS
    }
    for name in settings.options:
        if name not in known:
            problem = UnknownNameError(f"function of the preset {settings.preset!r}", name, known)
            raise ProjectError(
                f"{problem}. Options of your own functions stand in their code",
                key=f"functions.options.{name}",
                path=project.file,
            )
    for reason, names in selection.reasons().items():
        logger.warning("preset %r leaves out %s: %s", settings.preset, ", ".join(names), reason)
    return selection


def _rule(project: Project, name: str, rule: Mapping[str, Any]) -> list[LabellingFunction]:
    try:
        return from_settings(name, rule, directory=project.directory)
    except (InputError, UnknownNameError) as error:
        key = f"functions.rules.{name}"
        raise ProjectError(str(error), key=key, path=project.file) from None
