import pytest
import spacy

from silverspan.errors import LabellingError
from silverspan.labelling.apply import annotation_of, in_order, label_documents, usable
from silverspan.labelling.function import LabellingFunction, labelling_function, proposals


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


@labelling_function(labels=["LOC"])
def cities(doc):
    for token in doc:
        if token.text == "Oslo":
            yield token.i, token.i + 1, "LOC"


@labelling_function(labels=["LOC"], reads=["cities"])
def copies(doc):
    yield from proposals(doc)["cities"]


def run(docs, functions, **options):
    ids = [f"news-{number}" for number in range(len(docs))]
    return label_documents(docs, in_order(functions), document_ids=ids, **options)


def saying(name, *spans, **options):
    options = {"labels": ("LOC",), **options}
    return LabellingFunction(name=name, propose=lambda doc: spans, **options)


def test_a_function_reads_what_another_said_whatever_the_order(nlp):
    [labelled] = run([nlp("He left Oslo .")], [copies, cities])
    assert labelled.proposals["copies"] == [(2, 3, "LOC", 1.0)]


def test_a_function_sees_only_what_it_reads(nlp):
    seen = []
    spy = LabellingFunction(
        name="spy", labels=(), reads=("cities",), propose=lambda doc: seen.extend(proposals(doc))
    )
    with pytest.raises(LabellingError, match="'spy' failed"):
        run([nlp("Oslo")], [cities, saying("other", (0, 1, "LOC")), spy])
    assert seen == ["cities"]


def test_the_star_reads_every_function_that_reads_nothing(nlp):
    seen = {}
    spy = LabellingFunction(
        name="spy", labels=(), reads=("*",), propose=lambda doc: seen.update(proposals(doc)) or ()
    )
    run([nlp("Oslo")], [cities, copies, spy])
    assert list(seen) == ["cities"]


def test_functions_that_read_each_other_in_a_circle_are_named():
    one = saying("one", reads=("two",))
    two = saying("two", reads=("one",))
    with pytest.raises(LabellingError, match="one -> two -> one"):
        in_order([one, two])


def test_reading_a_function_that_is_not_there_is_an_error_that_names_both():
    with pytest.raises(LabellingError, match=r"'copies' reads 'cities', which is not among"):
        in_order([copies])


def test_two_functions_of_one_name_are_refused():
    with pytest.raises(LabellingError, match="two labelling functions are called 'cities'"):
        in_order([cities, cities])


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ((0, 4, "LOC"), r"span \(0, 4\) in document 'news-0', which has 3 tokens.*half-open"),
        ((1, 1, "LOC"), r"span \(1, 1\)"),
        ((-1, 1, "LOC"), r"span \(-1, 1\)"),
        ((0, 1, "PER"), r"label 'PER'.*It declares: LOC"),
        ((0, 1, "LOC", 0.0), "probability 0.0"),
        ((0, 1, "LOC", float("nan")), "probability nan"),
        ((0, 1, "LOC", 1.5), "probability 1.5"),
        ((0, 1), r"a proposal is \(start, end, label\)"),
        ((0, 1, "LOC", 1.0, 1.0), r"a proposal is"),
        ((0.5, 1, "LOC"), r"a proposal is"),
        ((0, 1, 7), r"a proposal is"),
        (None, r"a proposal is"),
    ],
)
def test_a_span_that_cannot_be_is_an_error_that_names_the_function(nlp, span, message):
    with pytest.raises(LabellingError, match=message) as caught:
        run([nlp("one two three")], [saying("cities", span)])
    assert caught.value.function == "cities"
    assert caught.value.document == "news-0"


def broken(doc):
    if doc[0].text == "bad":
        raise ValueError("no such thing")
    return [(0, 1, "LOC")]


def test_a_function_that_raises_stops_the_run_and_is_named_with_its_document(nlp):
    function = LabellingFunction(name="broken", labels=("LOC",), propose=broken)
    with pytest.raises(LabellingError, match=r"'broken' failed on document 'news-1'.*no such"):
        run([nlp("good"), nlp("bad")], [function])


def test_skipped_failures_are_counted_and_leave_the_function_absent(nlp):
    function = LabellingFunction(name="broken", labels=("LOC",), propose=broken)
    good, bad = run([nlp("good"), nlp("bad")], [function], on_error="skip")
    assert good.proposals == {"broken": [(0, 1, "LOC", 1.0)]}
    assert bad.proposals == {}
    assert bad.absent == {"broken"}
    assert [failure.reason for failure in bad.failures] == ["no such thing"]


def test_a_function_that_is_not_asked_is_absent(nlp):
    picky = saying("picky", (0, 1, "LOC"), asked=lambda doc: doc[0].text == "yes")
    first, second = run([nlp("yes"), nlp("no")], [picky])
    assert (first.absent, second.absent) == (frozenset(), {"picky"})


def test_a_family_is_asked_once_a_batch(nlp):
    calls = []

    class Pair:
        def propose(self, docs):
            calls.append(len(docs))
            return [{"a": [(0, 1, "LOC", 1.0)], "b": []} for _ in docs]

    pair = Pair()
    members = [saying("a", family=pair), saying("b", family=pair)]
    first, _ = run([nlp("x"), nlp("y")], members)
    assert calls == [2]
    assert first.proposals == {"a": [(0, 1, "LOC", 1.0)]}


def test_only_some_functions_run_and_read_what_the_others_said_before(nlp):
    doc = nlp("Oslo")
    before = [{"cities": [(0, 1, "LOC", 0.5)]}]
    [labelled] = run([doc], [cities, copies], only={"copies"}, given=before)
    assert labelled.proposals == {"copies": [(0, 1, "LOC", 0.5)]}


def test_functions_whose_needs_are_not_met_are_told_apart(nlp):
    tagged = saying("tagged", needs=("tag",))
    reader = saying("reader", reads=("tagged",))
    kept, left_out = usable([cities, tagged, reader], annotation_of([nlp("Oslo"), nlp("")]))
    assert kept == (cities,)
    assert left_out == {
        "tagged": "needs part-of-speech tags, which the pipeline does not set",
        "reader": "reads 'tagged', which is left out",
    }


def test_proposals_leave_nothing_behind_in_the_document(nlp):
    doc = nlp("Oslo")
    run([doc], [cities, copies])
    assert proposals(doc) == {}
    assert not doc.user_data


def test_a_family_that_fails_on_one_document_speaks_on_the_others(nlp):
    class Picky:
        def propose(self, docs):
            if any(doc.text == "bad" for doc in docs):
                raise ValueError("cannot")
            return [{"a": [(0, 1, "LOC", 1.0)]} for _ in docs]

    function = saying("a", family=Picky())
    docs = [nlp("good"), nlp("bad"), nlp("fine")]
    with pytest.raises(LabellingError, match="'a' failed on document 'news-1'"):
        run(docs, [function])
    labelled = run(docs, [function], on_error="skip")
    assert [bool(one.proposals) for one in labelled] == [True, False, True]
