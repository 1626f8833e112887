"""Small corpora, written for these tests, in the places where the experiments look for data."""

import json

import pytest

_NEWS = [
    [
        ("Berg", "B-PER"), ("visited", "O"), ("Oslo", "B-LOC"), ("on", "O"), ("Friday", "O"),
        (".", "O"),
    ],
    [
        ("The", "O"), ("Norwegian", "B-MISC"), ("firm", "O"), ("Fjord", "B-ORG"),
        ("Holdings", "I-ORG"), ("Inc", "I-ORG"), ("hired", "O"), ("Anna", "B-PER"),
        ("Hall", "I-PER"), ("in", "O"), ("Paris", "B-LOC"), (".", "O"),
    ],
    [
        ("Anna", "B-PER"), ("Hall", "I-PER"), ("left", "O"), ("London", "B-LOC"), ("for", "O"),
        ("Microsoft", "B-ORG"), ("Corp", "I-ORG"), (".", "O"),
    ],
]  # fmt: skip
_TWEETS = [
    [("met", "O"), ("Anna", "B-PER"), ("in", "O"), ("Rome", "B-LOC"), ("!", "O")],
    [("Microsoft", "B-ORG"), ("is", "O"), ("down", "O"), ("again", "O")],
]
_COMMENTS = [[("saw", "O"), ("Bo", "B-person"), ("at", "O"), ("Tesco", "B-corporation")]]


def _conll(sentences, *, each_alone=False):
    head = "-DOCSTART- O\n\n"
    body = ["".join(f"{word} {tag}\n" for word, tag in one) + "\n" for one in sentences]
    return head + (head.join(body) if each_alone else "".join(body))


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A data folder: a target, two sources, and name lists."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("ner", "gazetteers", "text"):
        (folder / name).mkdir()
    (folder / "ner/conll2003_train.conll").write_text(_conll(_NEWS) * 3)
    (folder / "ner/conll2003_valid.conll").write_text(_conll(_NEWS[::-1]))
    (folder / "ner/btc_a.conll").write_text(_conll(_TWEETS * 6, each_alone=True))
    (folder / "ner/wnut17_train.conll").write_text(_conll(_COMMENTS * 4, each_alone=True))
    lists = {
        "wiki_titles": {"PERSON": ["Anna Hall"], "LOC": ["Oslo", "Paris"], "ORG": ["Microsoft"]},
        "crunchbase_companies": {"COMPANY": ["Fjord Holdings", "Microsoft"]},
        "geonames": {"GPE": ["Oslo", "Paris", "London", "Rome"]},
    }
    for name, entries in lists.items():
        (folder / f"gazetteers/{name}.json").write_text(json.dumps(entries))
    raw = [{"doc": "Later", "text": "Microsoft Corp said on Monday that Anna Hall left Oslo."}]
    (folder / "text/reuters_small.jsonl").write_text("".join(json.dumps(r) + "\n" for r in raw))
    return folder


@pytest.fixture(scope="session")
def small(tiny_encoder):
    """Settings under which every row takes seconds."""
    settings = {
        "sample.sentences": 4,
        "baselines.source_sentences": 10,
        "rows.source.options": {"student": {"max_epochs": 1, "width": 16, "depth": 1}},
        "rows.student.options": {
            "max_epochs": 1, "width": 16, "depth": 1, "vectors": "glove", "vector_rows": 500,
        },
        "rows.msda.options": {
            "size": 20, "inputs": 60, "hidden": 8, "epochs": 1, "vectors": None,
        },
        "rows.adaptabert": {
            "ensemble": 2,
            "options": {
                "encoder": tiny_encoder, "domain_epochs": 1, "domain_words": 40, "task_epochs": 1,
            },
        },
    }  # fmt: skip
    return [
        part for key, value in settings.items() for part in ("--set", f"{key}={json.dumps(value)}")
    ]
