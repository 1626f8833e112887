"""A JSON list of objects, or one object a line: what annotation tools write.

Which tool wrote it is told by the keys of the first object. The text is in memory, its objects are
not: they are parsed one by one.
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Final

from silverspan.corpus.files import read_text
from silverspan.corpus.json_lines import JsonObject, parse_at
from silverspan.corpus.jsonl import to_record
from silverspan.corpus.record import Problem, Record, stop
from silverspan.errors import InputError

#: By keys that only one tool writes: the module that reads it.
_TOOLS: Final = {
    "annotations": "label_studio",
    "predictions": "label_studio",
    "completions": "label_studio",
    "data": "label_studio",
    "fields": "argilla",
    "answer": "prodigy",
}


def read(path: str | Path, problem: Problem = stop) -> Iterator[Record]:
    """Yield the document of every object, read as the tool writes it whose keys the first has.

    Raises:
        InputError: the file is no JSON, or an object is no document.
    """
    items = objects(path)
    first = next(items, None)
    if first is None:
        return
    tools = [tool for key, tool in _TOOLS.items() if key in first.fields]
    if tools:
        module = import_module(f"silverspan.corpus.tools.{tools[0]}")
        yield from module.records(chain([first], items), problem)
        return
    for item in chain([first], items):
        try:
            yield to_record(item)
        except InputError as error:
            problem(error)


def objects(path: str | Path) -> Iterator[JsonObject]:
    """Yield the objects of a list, or of lines.

    Raises:
        InputError: the file cannot be read, or is no JSON of this form.
    """
    text = read_text(path)
    place = _after_blanks(text, 0)
    is_list = text.startswith("[", place)
    place += is_list
    line, counted = 1, 0
    while True:
        place = _after_blanks(text, place)
        line += text.count("\n", counted, place)
        counted = place
        if is_list and text.startswith("]", place):
            place = _after_blanks(text, place + 1)
            if place < len(text):
                raise InputError("there is something after the list", path=path, line=line)
            return
        if place == len(text):
            if is_list:
                raise InputError("the list has no end: the file is cut off", path=path, line=line)
            return
        fields, place = parse_at(text, place, path, line)
        yield JsonObject(path, line, fields)
        if is_list:
            place = _after_blanks(text, place)
            if text.startswith(",", place):
                place += 1
            elif place < len(text) and not text.startswith("]", place):
                reason = "there should be a comma between the objects of the list"
                raise InputError(reason, path=path, line=line)


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place
