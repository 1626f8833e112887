import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from silverspan.errors import ModelError
from silverspan.labelling.apply import label_documents
from silverspan.labelling.models.token_classifier import spans_of, transformers_model

NLP = spacy.blank("en")
TAGS = ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
#: Words, cut into pieces, and the tag that the tiny model gives each piece, whatever stands around.
PIECES = {
    "oslo": "B-LOC",
    "new": "B-LOC",
    "yo": "I-LOC",
    "##rk": "O",
    "anne": "B-PER",
    "be": "I-PER",
    "##rg": "B-LOC",
    "left": "O",
    "for": "O",
    ".": "O",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model without layers: the tag of a piece depends on the piece alone."""
    torch = pytest.importorskip("torch", reason="torch (extra transformers) is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    path = tmp_path_factory.mktemp("models") / "tiny-ner"
    path.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES]
    (path / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    transformers.BertTokenizerFast(
        vocab={word: i for i, word in enumerate(vocabulary)}, model_max_length=32
    ).save_pretrained(path)
    size = len(vocabulary)
    model = transformers.BertForTokenClassification(
        transformers.BertConfig(
            vocab_size=size,
            hidden_size=size,
            num_hidden_layers=0,
            num_attention_heads=1,
            max_position_embeddings=32,
            id2label=dict(enumerate(TAGS)),
            label2id={tag: i for i, tag in enumerate(TAGS)},
        )
    )
    with torch.no_grad():
        embeddings = model.bert.embeddings
        embeddings.word_embeddings.weight.copy_(torch.eye(size))
        embeddings.position_embeddings.weight.zero_()
        embeddings.token_type_embeddings.weight.zero_()
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([1.5, 0.0, 0.0, 0.0, 0.0]))
        for piece, tag in PIECES.items():
            model.classifier.weight[TAGS.index(tag), vocabulary.index(piece)] = 1.0
    model.save_pretrained(path)
    return str(path)


def said(function, doc):
    [labelled] = label_documents([doc], [function], document_ids=["a"])
    found = labelled.proposals.get(function.name, [])
    best = {}
    for start, end, label, probability in found:
        best[start, end] = max(best.get((start, end), (0.0, "")), (probability, label))
    return [(doc[start:end].text, label) for (start, end), (_, label) in sorted(best.items())]


def test_a_token_takes_the_tag_of_its_first_piece(folder):
    doc = NLP("Anne Berg left New York for Oslo .")
    assert said(transformers_model(folder), doc) == [
        ("Anne Berg", "PER"),
        ("New York", "LOC"),
        ("Oslo", "LOC"),
    ]


def test_tokens_and_pieces_may_be_cut_at_different_places(folder):
    doc = Doc(NLP.vocab, words=["Oslo.", "Anne", "left"], spaces=[True, True, False])
    assert said(transformers_model(folder), doc) == [("Oslo.", "LOC"), ("Anne", "PER")]


def test_long_documents_are_read_in_windows_as_if_they_were_one(folder):
    words = ["Anne", "Berg", "left", "New", "York", "for", "Oslo", "."] * 30
    doc = Doc(NLP.vocab, words=words)
    whole = said(transformers_model(folder), doc)
    assert len(whole) == 90
    assert whole == said(transformers_model(folder, window=9, overlap=3), doc)


def test_probabilities_of_a_span_are_a_distribution(folder):
    proposals = list(transformers_model(folder)(NLP("Anne Berg left")))
    assert {label for *_, label, _ in proposals} == {"LOC", "PER"}
    assert sum(probability for *_, probability in proposals) <= 1


def test_labels_are_renamed_and_corrections_applied(folder):
    function = transformers_model(folder, labels={"PER": "PERSON"}, corrected=True)
    assert function.name == "tiny-ner+c"
    assert {"LOC", "PERSON", "MONEY"} <= set(function.labels)
    assert said(function, NLP("Mr. Anne Berg left $ 5")) == [
        ("Anne Berg", "PERSON"),
        ("$ 5", "MONEY"),
    ]


def test_raw_and_corrected_are_one_family(folder):
    raw, corrected = transformers_model(folder), transformers_model(folder, corrected=True)
    assert raw.family is corrected.family


def test_documents_without_words_have_no_entities(folder):
    assert said(transformers_model(folder), NLP("")) == []
    assert said(transformers_model(folder), NLP(" \n ")) == []


def test_windows_that_overlap_by_all_of_them_are_refused(folder):
    with pytest.raises(ModelError, match="cannot overlap"):
        transformers_model(folder, window=8, overlap=8)


def test_a_folder_without_a_model_is_refused(tmp_path):
    pytest.importorskip("torch", reason="torch (extra transformers) is not installed")
    with pytest.raises(ModelError, match="no transformers model"):
        transformers_model(str(tmp_path))


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B", "L-A", "U-B"]), max_size=12))
def test_spans_of_any_tags_lie_apart_and_cover_what_is_tagged(tags):
    names = ["O", "B-A", "I-A", "B-B", "I-B", "L-A", "U-B"]
    certain = np.eye(len(names))[[names.index(tag) for tag in tags]].reshape(-1, len(names))
    spans = spans_of(certain, names)
    covered = [place for start, end, _, _ in spans for place in range(start, end)]
    assert covered == [place for place, tag in enumerate(tags) if tag != "O"]
