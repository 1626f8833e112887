import json

import numpy as np
import pytest

from silverspan.baselines import baselines, gold_posterior
from silverspan.baselines.__main__ import main
from silverspan.baselines.adaptabert import _batches
from silverspan.errors import InputError
from silverspan.training.encoder import Encoder

torch = pytest.importorskip("torch", reason="the extra 'baselines' is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

SMALL = {
    "source": {
        "student": {
            "width": 16,
            "depth": 1,
            "max_epochs": 10,
            "batch_words": 100,
            "vectors": "none",
        }
    },
    "msda": {
        "size": 30,
        "inputs": 150,
        "hidden": 16,
        "epochs": 15,
        "learn_rate": 0.01,
        "batch_words": 100,
        "vectors": None,
    },
    "adaptabert": {"domain_epochs": 1, "task_epochs": 10, "task_rate": 3e-3, "batch_size": 8},
}


@pytest.fixture(scope="module")
def gold(source):
    return gold_posterior(source, ["LOC", "PER"], {"person": "PER"})


def options_of(name, tiny):
    return SMALL[name] | ({"encoder": tiny} if name == "adaptabert" else {})


def test_the_three_baselines_are_registered():
    assert baselines.names() == ("adaptabert", "msda", "source")


def test_gold_becomes_a_certain_posterior_over_the_output_labels(source, gold):
    assert gold.probability.max(axis=1).min() == 1
    found = {(label, probability) for _, _, label, probability in gold.spans.of(0)}
    assert found == {("LOC", 1.0), ("PER", 1.0)}
    assert {label for *_, label, _ in gold_posterior(source, ["LOC"]).spans.of(0)} == {"LOC"}


def test_a_source_without_gold_is_named(target):
    with pytest.raises(InputError, match="new-0"):
        gold_posterior(target, ["LOC"])


@pytest.mark.parametrize("name", ["adaptabert", "msda", "source"])
def test_each_baseline_learns_the_toy_problem_and_is_the_same_every_time(
    name, source, gold, target, tiny_encoder
):
    method = baselines[name](**options_of(name, tiny_encoder))
    found = method.predict(source, gold, target, seed=0)
    assert found.documents[0] == "new-0"
    right = sum((1, 3, "PER") in [s[:3] for s in found.spans.of(i)] for i in range(len(target)))
    assert right >= 15
    again = method.predict(source, gold, target, seed=0)
    assert again.probability.tobytes() == found.probability.tobytes()


def test_masked_words_are_guessed_better_epoch_by_epoch(source, tiny_encoder):
    method = baselines["adaptabert"](encoder=tiny_encoder, domain_epochs=3, domain_rate=3e-3)
    torch.manual_seed(0)
    encoder = Encoder.pretrained(tiny_encoder, ["LOC"])
    before = encoder.network.base_model.state_dict()["encoder.layer.0.output.dense.weight"].clone()
    losses = method.tune_to_domain(encoder, source, seed=0)
    assert losses[0] > losses[1] > losses[2]
    after = encoder.network.base_model.state_dict()["encoder.layer.0.output.dense.weight"]
    assert not torch.equal(before, after)


def test_an_epoch_of_domain_tuning_reads_no_more_words_than_asked_for(source, tiny_encoder):
    encoder = Encoder.pretrained(tiny_encoder, ["LOC"])
    read = []
    encode = encoder.windows
    encoder.windows = lambda docs: read.extend(found := list(encode(docs))) or found
    method = baselines["adaptabert"](encoder=tiny_encoder, domain_epochs=1, domain_words=30)
    generator = np.random.default_rng(0)
    method.tune_to_domain(encoder, source, seed=0)
    some = method._drawn(read, generator)
    words = [int(window.judged.sum()) for window in some]
    assert sum(words[:-1]) < 30 <= sum(words)
    assert [w.document for w in method._drawn(read, generator)] != [w.document for w in some]
    every = baselines["adaptabert"](encoder=tiny_encoder)
    assert every._drawn(read, generator) == read


def test_batches_hold_every_window_once_and_windows_of_like_length_together(source, tiny_encoder):
    encoder = Encoder.pretrained(tiny_encoder, ["LOC"])
    windows = list(encoder.windows(source))
    found = list(_batches(windows, 8, np.random.default_rng(0)))
    assert sorted(w.document for batch in found for w in batch) == list(range(len(source)))
    spread = [max(map(_size, batch)) - min(map(_size, batch)) for batch in found]
    assert max(spread) < max(map(_size, windows)) - min(map(_size, windows))


def _size(window):
    return len(window.subwords)


def test_the_ensemble_is_the_mean_of_its_seeds(source, gold, target, tiny_encoder):
    def chances(seed, seeds):
        method = baselines["adaptabert"](
            encoder=tiny_encoder, domain_epochs=0, task_epochs=1, seeds=seeds
        )
        return method.predict(source, gold, target, seed=seed).probabilities(0)

    mean = (chances(0, 1) + chances(1, 1)) / 2
    assert abs(chances(0, 2) - mean).max() < 2e-3


CONFIG = """
method = "source"
output = "pred.jsonl"
[source]
path = ["source.conll"]
[target]
path = "target.txt"
[labels]
output = ["LOC", "PER"]
map = { person = "PER" }
[options]
student = { width = 8, depth = 1, max_epochs = 2, vectors = "none" }
"""


def test_one_command_runs_a_baseline_from_a_file(tmp_path):
    rows = "Mr O\nBo B-person\nSmith I-person\nsleeps O\n\n"
    (tmp_path / "source.conll").write_text("-DOCSTART- O\n\n" + rows * 20)
    (tmp_path / "target.txt").write_text("Mr Al Smith sleeps\n")
    (tmp_path / "config.toml").write_text(CONFIG)
    assert main([str(tmp_path / "config.toml")]) == 0
    row = json.loads((tmp_path / "pred.jsonl").read_text().splitlines()[0])
    assert row["tokens"][1] == "Al"
    assert set(row["probs"][0]) == {"O", "LOC", "PER"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('method = "source"', "no baseline is called"),
        ("student = {", "options"),
        ('path = "target.txt"', "no such file"),
        ("map =", "mapp"),
    ],
)
def test_a_wrong_file_is_one_message(tmp_path, caplog, wrong, message):
    replaced = {
        'method = "source"': 'method = "sauce"',
        "student = {": "students = {",
        'path = "target.txt"': 'path = "none.txt"',
        "map =": "mapp =",
    }[wrong]
    (tmp_path / "source.conll").write_text("-DOCSTART- O\n\nBo B-person\n")
    (tmp_path / "target.txt").write_text("Mr Al Smith sleeps\n")
    (tmp_path / "config.toml").write_text(CONFIG.replace(wrong, replaced))
    assert main([str(tmp_path / "config.toml")]) == 1
    assert message in caplog.text
    assert main([]) == 2
