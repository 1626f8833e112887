"""Whatever formats gold and predictions are in, scores are those of seqeval and nervaluate."""

import gzip
import json
import random
import warnings

import pytest
import spacy
from nervaluate import Evaluator
from seqeval.metrics import classification_report
from seqeval.scheme import IOB2
from spacy.tokens import Doc, Span

from silverspan.cli.main import main
from silverspan.corpus.docbin import write_docs
from silverspan.corpus.document import set_document_id, set_gold_spans, set_layer
from silverspan.tagging import write_tags

LABELS = ["GPE", "LOC", "ORG", "PER"]
VOCAB = spacy.blank("en").vocab


def random_spans(source, length):
    spans, start = [], 0
    while start < length:
        end = min(length, start + source.randint(1, 3))
        if source.random() < 0.4:
            spans.append((start, end, source.choice(LABELS)))
        start = end
    return spans


def changed(source, spans, length):
    """Return spans with some left out, relabelled, cut short, and some made up."""
    found = {}
    for start, end, label in spans:
        if source.random() < 0.8:
            end = max(start + 1, end - (source.random() < 0.2))
            found[start] = (end, label if source.random() < 0.8 else source.choice(LABELS))
    taken = {i for start, (end, _) in found.items() for i in range(start, end)}
    for i in range(length):
        if i not in taken and source.random() < 0.05:
            found[i] = (i + 1, source.choice(LABELS))
    return sorted((start, *rest) for start, rest in found.items())


def corpus(seed):
    source = random.Random(seed)
    documents = []
    for number in range(12):
        sentences = []
        for _ in range(source.randint(1, 4)):
            tokens = [
                source.choice(["Oslo", "x", "a.", "\u00e9", "\U0001f600"])
                for _ in range(source.randint(1, 9))
            ]
            gold = random_spans(source, len(tokens))
            sentences.append((tokens, gold, changed(source, gold, len(tokens))))
        documents.append((f"d{number}", sentences))
    return documents


def joined(sentences, side):
    offset, spans = 0, []
    for sentence in sentences:
        spans += [(offset + s, offset + e, label) for s, e, label in sentence[side]]
        offset += len(sentence[0])
    return [t for sentence in sentences for t in sentence[0]], spans


def write_lines(path, rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def key(side):
    return "gold" if side == 1 else "pred"


def weighted(spans, side):
    return [list(span) if side == 1 else [*span, 0.5] for span in spans]


def documents_jsonl(path, documents, side):
    rows = []
    for name, sentences in documents:
        tokens, spans = joined(sentences, side)
        rows.append({"id": name, "tokens": tokens, key(side): weighted(spans, side), "weak": {}})
    return write_lines(path.with_suffix(".jsonl.gz"), rows)


def sentences_jsonl(path, documents, side):
    rows = []
    for name, sentences in documents:
        for sentence in sentences:
            spans = weighted(sentence[side], side)
            rows.append({"id": len(rows), "doc": name, "tokens": sentence[0], key(side): spans})
    return write_lines(path.with_suffix(".jsonl"), rows)


def conll(scheme):
    def write(path, documents, side):
        lines = []
        for _, sentences in documents:
            lines += ["-DOCSTART- -X- O", ""]
            for sentence in sentences:
                tags = write_tags(
                    sentence[side], len(sentence[0]), "biluo" if scheme == "biluo" else "bio"
                )
                if scheme == "iob1":
                    tags = iob1(tags)
                lines += [f"{token} x {tag}" for token, tag in zip(sentence[0], tags, strict=True)]
                lines.append("")
        path = path.with_suffix(".conll")
        path.write_text("\r\n".join(lines) if scheme == "iob1" else "\n".join(lines))
        return path

    return write


def iob1(tags):
    """Return IOB2 tags as IOB1: B only where an entity follows one of its own label."""
    before = ["O", *tags[:-1]]
    return [
        tag if tag[0] != "B" or old[1:] == tag[1:] else "I" + tag[1:]
        for old, tag in zip(before, tags, strict=True)
    ]


def docbin(path, documents, side):
    docs = []
    for name, sentences in documents:
        tokens, spans = joined(sentences, side)
        doc = Doc(VOCAB, tokens)
        set_document_id(doc, name)
        if side == 1:
            set_gold_spans(doc, spans)
        elif len(docs) % 2:
            set_layer(doc, "silver", [(*span, 0.5) for span in spans])
        else:
            doc.set_ents([Span(doc, *span) for span in spans])
        docs.append(doc)
    write_docs(docs, path.with_suffix(".spacy"))
    return path.with_suffix(".spacy")


WRITERS = {
    "documents": documents_jsonl,
    "sentences": sentences_jsonl,
    "bio": conll("bio"),
    "iob1": conll("iob1"),
    "biluo": conll("biluo"),
    "docbin": docbin,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    documents = corpus(7)
    written = {
        (name, side): str(write(folder / f"{name}-{side}", documents, side))
        for name, write in WRITERS.items()
        for side in (1, 2)
    }
    return documents, written


def scores_of(files, gold, pred, capsys, *options):
    assert main(["evaluate", files[gold, 1], files[pred, 2], "--json", "-q", *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("pred", WRITERS)
@pytest.mark.parametrize("gold", WRITERS)
def test_every_pair_of_formats_scores_as_seqeval_and_nervaluate_do(files, capsys, gold, pred):
    documents, written = files
    renamed = {"GPE": "LOC"}
    options = ("--map", "GPE=LOC", "--labels", "LOC,PER", "--views", "strict,exact,partial,type")
    ours = scores_of(written, gold, pred, capsys, *options)
    sides, lengths = [], []
    for side in (1, 2):
        whole = [joined(sentences, side) for _, sentences in documents]
        lengths = [len(tokens) for tokens, _ in whole]
        sides.append(
            [
                [
                    (s, e, renamed.get(label, label))
                    for s, e, label in spans
                    if renamed.get(label, label) in ("LOC", "PER")
                ]
                for _, spans in whole
            ]
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = classification_report(
            *[
                [write_tags(spans, n) for spans, n in zip(own, lengths, strict=True)]
                for own in sides
            ],
            mode="strict",
            scheme=IOB2,
            output_dict=True,
        )
    strict = ours["entity"]["strict"]
    for name, got in {"micro avg": strict["micro"], **strict["labels"]}.items():
        assert got["precision"] == pytest.approx(report[name]["precision"])
        assert got["recall"] == pytest.approx(report[name]["recall"])
        assert got["f1"] == pytest.approx(report[name]["f1-score"])
    dicts = [
        [[{"label": lb, "start": s, "end": e - 1} for s, e, lb in spans] for spans in own]
        for own in sides
    ]
    theirs = Evaluator(*dicts, tags=["LOC", "PER"], loader="dict").evaluate()["overall"]
    for view in ("strict", "exact", "partial", "type"):
        name = "ent_type" if view == "type" else view
        got = ours["entity"][view]["micro"]
        for count in ("correct", "incorrect", "partial", "missed", "spurious"):
            # nervaluate goes by documents, and so do spans that touch; sentences change nothing.
            assert got[count] == getattr(theirs[name], count)
