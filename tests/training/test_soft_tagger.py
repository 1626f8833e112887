import numpy as np
import pytest
import spacy
from spacy import displacy
from spacy.tokens import Doc

from silverspan.aggregation.posterior import Posterior
from silverspan.errors import TrainingError
from silverspan.training import checkpoint, loop, train
from tests.training.conftest import toy_documents, toy_posterior

#: One student, quickly: no vectors, no second opinions.
QUICK = {"vectors": "none", "second_opinions": 0}
SMALL = QUICK | {"width": 16, "depth": 1, "max_epochs": 3, "batch_words": 100}
TEXT = "Mr Bo Smith lives in Lima today ."


def found(doc):
    return [(span.text, span.label_) for span in doc.ents]


def files(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def test_a_student_finds_what_it_was_taught(student):
    assert found(student(TEXT)) == [("Bo Smith", "PER"), ("Lima", "LOC")]


def test_a_student_generalises_to_names_it_never_saw(student):
    assert found(student("Mr Zed Smith lives in Quito today ."))[0][1] == "PER"


def test_spans_carry_probabilities(student):
    doc = student(TEXT)
    group = doc.spans["silver"]
    assert [(span.start, span.end) for span in group] == [(s.start, s.end) for s in doc.ents]
    assert all(0.3 < p <= 1 for p in group.attrs["probabilities"])


def test_a_saved_student_loads_and_says_the_same(student, tmp_path):
    student.to_disk(tmp_path / "model")
    again = spacy.load(tmp_path / "model")
    assert found(again(TEXT)) == found(student(TEXT))
    assert (
        again(TEXT).spans["silver"].attrs["probabilities"]
        == student(TEXT).spans["silver"].attrs["probabilities"]
    )
    restored = spacy.blank("en")
    restored.add_pipe(
        "silver_tagger", config={"model": student.config["components"]["silver_tagger"]["model"]}
    )
    assert found(restored.from_bytes(student.to_bytes())(TEXT)) == found(student(TEXT))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(documents, posterior, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(posterior, documents, seed=seed, **SMALL).to_disk(tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert files(tmp_path / "a") != files(tmp_path / "c")


def test_the_words_of_the_corpus_are_not_in_the_model(documents, posterior):
    known = train(posterior, documents, **SMALL).vocab.strings
    assert "Lima" not in known
    assert "PER" in known


def test_a_training_killed_after_any_epoch_goes_on_to_the_same_bytes(
    documents, posterior, tmp_path, monkeypatch
):
    train(posterior, documents, **SMALL).to_disk(tmp_path / "straight")
    kept = tmp_path / "state.npz"
    saved = checkpoint.save
    for stop in (1, 2, 3):

        def save_and_die(path, mark, state, model, optimizer, stop=stop):
            saved(path, mark, state, model, optimizer)
            if len(state.epochs) == stop:
                raise KeyboardInterrupt

        monkeypatch.setattr(loop.checkpoint, "save", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train(posterior, documents, checkpoint=kept, **SMALL)
        assert kept.exists()
    monkeypatch.setattr(loop.checkpoint, "save", saved)
    train(posterior, documents, checkpoint=kept, **SMALL).to_disk(tmp_path / "resumed")
    assert files(tmp_path / "straight") == files(tmp_path / "resumed")
    assert not kept.exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a checkpoint"])
def test_a_damaged_checkpoint_is_ignored(documents, posterior, tmp_path, content):
    kept = tmp_path / "state.npz"
    kept.write_bytes(content)
    train(posterior, documents, checkpoint=kept, **(SMALL | {"max_epochs": 1}))


def test_a_checkpoint_of_other_settings_is_ignored(documents, posterior, tmp_path, monkeypatch):
    kept = tmp_path / "state.npz"
    monkeypatch.setattr(loop.Path, "unlink", lambda *_, **__: None)
    train(posterior, documents, checkpoint=kept, **SMALL)
    monkeypatch.undo()
    train(posterior, documents, **(SMALL | {"dropout": 0.0})).to_disk(tmp_path / "a")
    train(posterior, documents, checkpoint=kept, **(SMALL | {"dropout": 0.0})).to_disk(
        tmp_path / "b"
    )
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_documents_without_any_vote_teach_that_nothing_is_there():
    documents = toy_documents(10)
    nothing = Posterior.build(
        labels=("LOC",),
        scheme="bio",
        documents=tuple(map(str, range(10))),
        lengths=np.array([len(doc) for doc in documents]),
        position=np.zeros(0, dtype=np.int64),
        probability=np.zeros((0, 3)),
    )
    assert found(train(nothing, documents, **SMALL)(TEXT)) == []


def test_empty_documents_and_a_corpus_of_one_document_are_no_trouble():
    empty = Doc(spacy.blank("en").vocab)
    documents = [empty, *toy_documents(1), empty]
    assert train(toy_posterior(documents), documents, **SMALL).pipe_names == ["silver_tagger"]


def test_a_corpus_without_tokens_is_refused():
    documents = [Doc(spacy.blank("en").vocab)]
    with pytest.raises(TrainingError, match="no token"):
        train(toy_posterior(documents), documents)


def test_a_long_document_is_learned_in_pieces():
    words = [token.text for doc in toy_documents(60) for token in doc]
    documents = [Doc(spacy.blank("en").vocab, words=words)]
    student = train(toy_posterior(documents), documents, **(SMALL | {"max_epochs": 20}))
    assert ("Lima", "LOC") in found(student(TEXT))


def test_the_tokeniser_is_that_of_the_pipeline_that_read_the_corpus(documents, posterior):
    nlp = spacy.blank("en")
    nlp.tokenizer.add_special_case("today.", [{"ORTH": "tod"}, {"ORTH": "ay."}])
    student = train(posterior, documents, nlp=nlp, **SMALL)
    assert [token.text for token in student("In Rome today.")][-2:] == ["tod", "ay."]


def test_pipes_in_several_processes_and_empty_texts_work(student):
    texts = [TEXT, "", "Nothing here ."]
    alone = [found(doc) for doc in student.pipe(texts)]
    assert [found(doc) for doc in student.pipe(texts, n_process=2)] == alone
    assert alone[1:] == [[], []]


def test_displacy_draws_a_student(student):
    assert "Lima" in displacy.render(student(TEXT), style="ent", page=False, jupyter=False)
