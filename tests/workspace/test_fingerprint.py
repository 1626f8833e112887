import importlib.util
import itertools

from silverspan.labelling.apply import in_order, reads
from silverspan.workspace.fingerprint import fingerprint, of_function, of_functions

HEAD = """
import re
import silverspan as sp
WORDS = {words}
PATTERN = re.compile("{pattern}")

def helper(token):
    return {helper}

@sp.labelling_function(labels=["LOC"])
def first(doc):
    "{docstring}"
    for token in doc:  # {comment}
        if token.text in WORDS and helper(token) and PATTERN.match(token.text):
            yield token.i, token.i + 1, "LOC"

@sp.labelling_function(labels=["LOC"])
def second(doc):
    return []

@sp.labelling_function(labels=["LOC"], reads=["first"])
def third(doc):
    return sp.proposals(doc)["first"]
"""
DEFAULTS = dict(words='{"Oslo"}', pattern="O", helper="True", docstring="d", comment="c")
counter = itertools.count()


def prints(tmp_path, **changes):
    path = tmp_path / f"functions_{next(counter)}.py"
    path.write_text(HEAD.format(**{**DEFAULTS, **changes}))
    spec = importlib.util.spec_from_file_location("functions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = in_order([module.first, module.second, module.third])
    return of_functions(functions, {f.name: reads(f, functions) for f in functions})


def changed(tmp_path, **changes):
    before, after = prints(tmp_path), prints(tmp_path, **changes)
    return {name for name in before if before[name] != after[name]}


def test_the_same_code_has_the_same_fingerprint_wherever_it_stands(tmp_path):
    assert changed(tmp_path) == set()


def test_a_comment_changes_nothing(tmp_path):
    assert changed(tmp_path, comment="another") == set()


def test_a_constant_a_helper_or_a_pattern_changes_what_uses_it_and_what_reads_that(tmp_path):
    assert changed(tmp_path, words='{"Bergen"}') == {"first", "third"}
    assert changed(tmp_path, helper="token.is_title") == {"first", "third"}
    assert changed(tmp_path, pattern="B") == {"first", "third"}


def test_the_order_of_a_set_does_not_matter(tmp_path):
    assert prints(tmp_path, words='{"a", "b", "c"}') == prints(tmp_path, words='{"c", "b", "a"}')


def closure(word):
    import silverspan as sp  # noqa: PLC0415

    @sp.labelling_function(labels=["LOC"], name="closure")
    def inner(doc):
        return [(0, 1, "LOC")] if doc[0].text == word else []

    return inner


def test_what_a_closure_holds_counts():
    assert of_function(closure("a")) == of_function(closure("a"))
    assert of_function(closure("a")) != of_function(closure("b"))


def test_a_function_that_calls_itself_ends():
    def loop(doc):
        return loop(doc)

    import silverspan as sp  # noqa: PLC0415

    assert of_function(sp.LabellingFunction(name="loop", labels=(), propose=loop))


def test_parts_do_not_run_together():
    assert fingerprint(["a"], []) != fingerprint([], ["a"])
