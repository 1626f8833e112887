"""A port to Norwegian: what docs/porting.md promises."""

from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from silverspan.errors import InputError
from silverspan.labelling import presets
from silverspan.labelling.apply import in_order, label_documents
from silverspan.labelling.function import functions
from silverspan.labelling.gazetteers import Entry, build_in_memory, gazetteer_functions
from silverspan.labelling.heuristics.values import date_detector

NLP = spacy.blank("nb")
NLP.add_pipe("sentencizer")

SENTENCES = [
    ("date_detector", "Den ble solgt 31. august 1996 i Oslo.", ["31. august 1996"]),
    ("date_detector", "Prisene steg i tredje kvartal, også i dag.",
     ["tredje kvartal", "i dag"]),
    ("date_detector", "Han kom for tre år siden, i mai.", ["tre år siden", "mai"]),
    ("time_detector", "Møtet begynner kl. 10.30 på mandag.", ["kl. 10.30"]),
    ("money_detector", "Den kostet 3,5 milliarder kroner.", ["3,5 milliarder kroner"]),
    ("money_detector", "De ga 45 000 kroner og USD 5 mill. til laget.",
     ["45 000 kroner", "USD 5 mill."]),
    ("number_detector", "Prisene steg 2,5 prosent.", ["2,5 prosent"]),
    ("number_detector", "Femogtyve barn gikk tjuefem kilometer.",
     ["Femogtyve", "tjuefem kilometer"]),
    ("full_name_detector", "Statsminister Jonas Gahr Støre møtte Kari Nordmann.",
     ["Jonas Gahr Støre", "Kari Nordmann"]),
    ("company_type_detector", "Equinor ASA og Statkraft AS vokser.",
     ["Equinor ASA", "Statkraft AS"]),
    ("misc_detector", "Flyet landet på Gardermoen Lufthavn.", ["Gardermoen Lufthavn"]),
    ("legal_detector", "Det følger av § 12 her.", ["§ 12"]),
    ("proper_detector", "Regjeringen møtte Kari Nordmann i Tromsø.", ["Kari Nordmann", "Tromsø"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), SENTENCES)
def test_the_heuristics_read_norwegian(name: str, text: str, expected: list[str]) -> None:
    doc = NLP(text)
    said = functions[name](words="nb")(doc)
    assert [doc[span[0] : span[1]].text for span in said] == expected


def test_the_preset_of_a_language_gives_its_words_to_every_function() -> None:
    made = presets.language("nb")
    assert len(made) == 19
    with_words = [function for function in made if "words" in function.options]
    assert {function.options["words"] for function in with_words} == {"nb"}
    assert len(with_words) == 17


def test_a_port_runs_whole_with_a_gazetteer_of_the_language() -> None:
    entries = [Entry("Kirkenes", "GPE"), Entry("Mo i Rana", "GPE")]
    places = gazetteer_functions("places", build_in_memory(entries, tokenizer=NLP))
    chosen = [f for f in presets.language("nb") if not f.needs]
    docs = list(NLP.pipe(["Kari Nordmann bor i Mo i Rana. Nordmann liker Kirkenes."]))
    labelled = label_documents(docs, in_order([*chosen, *places]), document_ids=["1"])[0]
    said = labelled.proposals
    assert [span[:3] for span in said["places_cased"]] == [(4, 7, "GPE"), (10, 11, "GPE")]
    assert said["doc_history"] == [(8, 9, "PERSON", 1.0)]
    assert (0, 2, "PERSON", 1.0) in said["full_name_detector"]


def test_a_port_begins_with_one_file_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "numeric.toml").write_text('months = ["tammikuu", "helmikuu"]')
    doc = Doc(NLP.vocab, words=["5", "helmikuu", "1996"])
    assert list(date_detector(words=str(tmp_path))(doc)) == [(0, 3, "DATE")]


def test_words_that_are_not_there_are_named() -> None:
    with pytest.raises(InputError, match="nb"):
        date_detector(words="fi")
