import json

import pytest
import spacy
from spacy.training import Example
from thinc.api import fix_random_seed

from silverspan.errors import ModelError
from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.models import spacy_model
from silverspan.labelling.models.installed import describe
from silverspan.labelling.models.pipeline import PipelineFamily

TEXTS = [
    ("Anne Berg lives in Oslo .", [(0, 9, "PER"), (19, 23, "LOC")]),
    ("Acme left Oslo .", [(0, 4, "ORG"), (10, 14, "LOC")]),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A recogniser that knows two sentences by heart."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("X")
    nlp.add_pipe("ner")
    examples = [
        Example.from_dict(
            nlp.make_doc(text), {"entities": spans, "tags": ["X"] * len(text.split())}
        )
        for text, spans in TEXTS
    ]
    fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    path = tmp_path_factory.mktemp("models") / "tiny"
    nlp.to_disk(path)
    return path


def run(functions, docs):
    ids = [str(number) for number in range(len(docs))]
    return label_documents(docs, in_order(functions), document_ids=ids)


def test_any_spacy_pipeline_is_a_function_in_one_line(folder):
    function = spacy_model(str(folder))
    [labelled] = run([function], [spacy.blank("xx")(TEXTS[0][0])])
    assert labelled.proposals[function.name] == [(0, 2, "PER", 1.0), (4, 5, "LOC", 1.0)]
    assert set(function.labels) == {"LOC", "ORG", "PER"}


def test_labels_are_renamed_as_asked(folder):
    function = spacy_model(str(folder), name="tiny", labels={"PER": "PERSON"})
    doc = spacy.blank("en")(TEXTS[0][0])
    assert list(function(doc)) == [(0, 2, "PERSON", 1.0), (4, 5, "LOC", 1.0)]
    assert "PER" not in function.labels


def test_the_model_runs_once_for_the_raw_function_and_the_corrected_one(folder, monkeypatch):
    calls = []
    propose = PipelineFamily.propose
    monkeypatch.setattr(
        PipelineFamily, "propose", lambda self, docs: calls.append(len(docs)) or propose(self, docs)
    )
    functions = [spacy_model(str(folder)), spacy_model(str(folder), corrected=True)]
    nlp = spacy.blank("en")
    labelled = run(functions, [nlp("Acme left Oslo ."), nlp("in 1996 .")])
    assert calls == [2]
    assert labelled[0].proposals[functions[0].name] == labelled[0].proposals[functions[1].name]
    assert functions[1].name == functions[0].name + "+c"


def test_the_document_itself_is_not_touched(folder):
    doc = spacy.blank("en")(TEXTS[0][0])
    list(spacy_model(str(folder))(doc))
    assert not doc.ents
    assert not doc.has_annotation("TAG")


def test_components_that_find_no_entities_do_not_run(folder):
    assert describe(str(folder)).unneeded == ("tagger",)


def test_a_pipeline_with_rules_runs_whole(folder, tmp_path):
    nlp = spacy.load(folder)
    nlp.add_pipe("entity_ruler", first=True).add_patterns([{"label": "GPE", "pattern": "Bergen"}])
    nlp.to_disk(tmp_path)
    function = spacy_model(str(tmp_path))
    assert describe(str(tmp_path)).unneeded == ()
    assert "GPE" in function.labels
    assert (2, 3, "GPE", 1.0) in list(function(spacy.blank("en")("Off to Bergen")))


def test_a_beam_gives_probabilities(folder):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("Acme left Berg . Oslo left Berg .")
    proposals = list(spacy_model(str(folder), beam_width=8)(doc))
    assert proposals
    assert all(0 < probability <= 1 for *_, probability in proposals)
    spans = {(start, end) for start, end, _, _ in proposals}
    for span in spans:
        assert sum(p for s, e, _, p in proposals if (s, e) == span) <= 1 + 1e-6


def test_empty_documents_have_no_entities(folder):
    nlp = spacy.blank("en")
    for width in (1, 4):
        function = spacy_model(str(folder), beam_width=width)
        assert [said.proposals for said in run([function], [nlp(""), nlp(" ")])] == [{}, {}]


def test_a_missing_model_is_said_to_be_missing():
    with pytest.raises(ModelError, match="no spaCy pipeline 'en_core_web_nope'"):
        spacy_model("en_core_web_nope")


def test_a_pipeline_without_entities_is_refused(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path)
    with pytest.raises(ModelError, match="finds no entities"):
        spacy_model(str(tmp_path))


def test_another_version_of_a_model_is_another_function(folder, tmp_path):
    spacy.load(folder).to_disk(tmp_path)
    meta = json.loads((tmp_path / "meta.json").read_text())
    (tmp_path / "meta.json").write_text(json.dumps({**meta, "version": "9.9"}))
    assert spacy_model(str(tmp_path)).version != spacy_model(str(folder)).version


@pytest.mark.parametrize("content", ["{", "[]", '{"labels": 3}', '{"labels": {"ner": 4}}'])
def test_a_damaged_description_of_a_model_is_told(tmp_path, content):
    (tmp_path / "meta.json").write_text(content)
    with pytest.raises(ModelError, match="cannot be loaded"):
        spacy_model(str(tmp_path))
