"""Texts, ids, labels and names that an enemy, or a broken crawler, would write."""

import json

from tests.pipeline.conftest import SETTINGS

MARK = "owned()"
HTML = [
    f"<script>{MARK}</script>",
    f'"><img src=x onerror={MARK}>',
    f"'><svg/onload={MARK}>",
    f"</style></title></textarea><script>{MARK}</script>",
    f"javascript:{MARK}",
    "{{ 7 * 7 }}{% for a in b %}",
]
NAMES = [
    *HTML,
    "../../../../escaped",
    "/etc/passwd",
    "C:\\evil\\..\\x",
    "\x1b[2J\x1b]0;owned\x07\x1b[31mred",
    "\u202eright to left\u202c",
    "line\nbreak\r\tand tab",
    "\u2028\u2029\x85",
    "=cmd|' /C calc'!A0",
    "x" * 10_000,
    "\u0130\u0149 \U0001f469\u200d\U0001f469\u200d\U0001f467",
]
TEXTS = [
    *NAMES,
    "".join(map(chr, range(1, 160))) + " Oslo",
    "NUL \x00 inside Oslo \x00",
    "\u202e\u2066 Oslo \u2069\u202d Rome",
    '"' * 900 + "Oslo" + "\u201c(\u00ab[" * 300,
    "(" * 1500 + " Rome " + ")" * 1500,
    "a\u0301" * 20_000,
    "Oslo" * 10_000,
    "\ufeff\u200b\u200c Oslo",
    " \t\r\n ",
    "",
    "Oslo .\n" * 300,
    "\ufffe\uffff\U0010ffff Oslo",
]

#: A function for each hostile label, under a hostile name; they share the names in the texts.
FUNCTIONS = """
import json
import pathlib

import silverspan as sp

LABELS = json.loads((pathlib.Path(__file__).parent / "labels.json").read_text())

def say(number, name, label):
    @sp.labelling_function(labels=[label], name=name)
    def f(doc):
        for token in doc:
            is_name = token.text in ("Oslo", "Rome") or "owned" in token.text
            if is_name and token.i // 2 % len(LABELS) == number:
                yield token.i, token.i + 1, label
    return f

functions = [say(i, *pair) for i, pair in enumerate(LABELS)]
"""


def write(folder, labels):
    """Write a project whose every name is hostile; return how many documents it has."""
    folder.mkdir()
    lines = [json.dumps({"id": f"{i}{NAMES[i % len(NAMES)]}", "text": t}) for i, t in
             enumerate(TEXTS)]  # fmt: skip
    (folder / "documents.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pairs = [(f"{i}{NAMES[i % len(NAMES)]}", label) for i, label in enumerate(labels)]
    (folder / "labels.json").write_text(json.dumps(pairs))
    (folder / "functions.py").write_text(FUNCTIONS)
    settings = SETTINGS.replace('["LOC", "PER"]', json.dumps(labels, ensure_ascii=False))
    settings = f"[project]\nname = {json.dumps(HTML[0])}\n" + settings
    (folder / "silverspan.toml").write_text(settings, encoding="utf-8")
    return len(lines)
