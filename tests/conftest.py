"""Settings and fixtures that tests of several stages share."""

import pytest
from hypothesis import HealthCheck, settings

# Whether a test passes hangs neither on the clock nor on chance: a slow machine fails nothing, and
# the same examples are tried every time.
settings.register_profile(
    "silverspan", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("silverspan")


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory):
    """An untrained BERT of two small layers that spells words with letters."""
    transformers = pytest.importorskip("transformers", reason="an extra is not installed")
    torch = pytest.importorskip("torch", reason="an extra is not installed")
    folder = tmp_path_factory.mktemp("tiny")
    letters = "abcdefghijklmnopqrstuvwxyz."
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    vocabulary += [f"##{letter}" for letter in letters]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"), do_lower_case=True)
    tokenizer.save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    torch.manual_seed(0)
    transformers.BertModel(config).save_pretrained(folder)
    return str(folder)
