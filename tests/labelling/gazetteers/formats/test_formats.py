"""Every reader on a small file in its exact format, and on damaged ones."""

import bz2
import gzip
import json
import zipfile

import pytest
import spacy

from silverspan.errors import GazetteerError
from silverspan.labelling.gazetteers import Damage, Recipe, build, readers
from silverspan.labelling.gazetteers.formats import source

NLP = spacy.blank("en")


def read(format_, /, *paths, **options):
    """Return {name: label} as read, and the damage."""
    reader, damage, found = readers[format_](options), Damage(), []
    for path in paths:
        found += [entry for _, entry in reader.entries(path, damage)]
    labelled = [(entry.name, reader.label_of(entry.kind)) for entry in found]
    return labelled, damage


@pytest.fixture
def file(tmp_path):
    def make(content, name="source"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


# --- Plain lists, tables, JSON ----------------------------------------------------------------


def test_text_is_a_name_a_line(file):
    path = file("# a comment\nOslo\n\nNew York\r\n")
    assert read("text", path, label="GPE")[0] == [("Oslo", "GPE"), ("New York", "GPE")]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_files_are_told_by_their_first_bytes(file, pack):
    path = file(pack(b"Oslo\nBergen\n"), "names.without.ending")
    assert [name for name, _ in read("text", path, label="X")[0]] == ["Oslo", "Bergen"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_packed_file_cut_off_gives_what_is_there_and_says_so(file, pack):
    lines = b"".join(b"Name %d of place\n" % (n * 7919) for n in range(60_000))
    path = file(pack(lines)[:-1000])
    labelled, damage = read("text", path, label="X")
    assert len(labelled) > 1000
    assert damage.count == 1
    assert "cut off or damaged" in damage.first[0]


def test_lines_in_another_encoding_are_counted_and_passed_over(file):
    path = file("Oslo\nZ\xfcrich\nBergen\nK\xf6ln\n".encode("latin-1"))
    labelled, damage = read("text", path, label="X")
    assert [name for name, _ in labelled] == ["Oslo", "Bergen"]
    assert damage.count == 2
    assert damage.first == [f"{path}:2: not UTF-8", f"{path}:4: not UTF-8"]


def test_labels_are_lists_by_label(file):
    path = file(json.dumps({"_source": "me", "GPE": ["Oslo"], "ORG": ["UN", 3]}))
    labelled, damage = read("labels", path)
    assert labelled == [("Oslo", "GPE"), ("UN", "ORG")]
    assert damage.count == 1


@pytest.mark.parametrize("content", ['{"GPE": ["Oslo"', "[]", '{"GPE": "Oslo"}', b"\xff\xfe"])
def test_labels_refuse_what_is_no_whole_object_of_lists(file, content):
    with pytest.raises(GazetteerError, match="source"):
        read("labels", file(content))


def test_csv_takes_columns_aliases_and_weights(file):
    path = file(
        'title;others;type;people\nOslo;Kristiania|Christiania;GPE;700000\n"Bergen; old";;GPE;x\n'
        "too;few\n"
    )
    options = {"name": "title", "aliases": "others", "label_column": "type", "weight": "people"}
    labelled, damage = read("csv", path, **options)
    assert [name for name, _ in labelled] == ["Oslo", "Kristiania", "Christiania", "Bergen; old"]
    assert damage.reasons == {
        "the weight is no number: 'x'": 1,
        "2 cells in a table of 4 columns": 1,
    }


def test_csv_without_the_column_lists_those_it_has(file):
    with pytest.raises(GazetteerError, match="no column 'name'; its columns are: title"):
        read("csv", file("title,kind\nOslo,GPE\n"), label="GPE")


def test_csv_survives_an_unclosed_quotation_mark(file, monkeypatch):
    monkeypatch.setattr(source, "_LONGEST_FIELD", 100_000)
    rows = "".join(f"Name {n},X\n" for n in range(20_000))
    labelled, damage = read("csv", file('name,kind\nOslo,X\n"Berg,X\n' + rows), label="X")
    assert labelled[0] == ("Oslo", "X")
    assert len(labelled) > 5_000
    assert damage.count >= 1


@pytest.mark.parametrize(
    "content",
    [
        '["Oslo", {"name": "Bergen", "others": ["Bjorgvin"]}, 3]',
        '"Oslo"\n{"name": "Bergen", "others": ["Bjorgvin"]}\n{"cut": \n',
    ],
)
def test_json_takes_names_and_objects_whole_or_by_line(file, content):
    labelled, damage = read("json", file(content), label="GPE", aliases="others")
    assert labelled == [("Oslo", "GPE"), ("Bergen", "GPE"), ("Bjorgvin", "GPE")]
    assert damage.count == 1


def test_unknown_options_list_the_known():
    with pytest.raises(GazetteerError, match="no option 'labels'; it has: label"):
        readers["text"]({"labels": "X"})


# --- Wikidata -----------------------------------------------------------------------------------


def claim(*items, rank="normal"):
    return [
        {
            "mainsnak": {
                "snaktype": "value",
                "property": "P31",
                "datavalue": {
                    "value": {"entity-type": "item", "numeric-id": int(i[1:]), "id": i},
                    "type": "wikibase-entityid",
                },
                "datatype": "wikibase-item",
            },
            "type": "statement",
            "rank": rank,
        }
        for i in items
    ]


def item(number, label, *, p31=(), p279=(), aliases=(), description=None, sites=0):
    return {
        "type": "item",
        "id": number,
        "labels": {
            "en": {"language": "en", "value": label},
            "de": {"language": "de", "value": "D"},
        },
        "descriptions": {"en": {"language": "en", "value": description}} if description else [],
        "aliases": {"en": [{"language": "en", "value": a} for a in aliases]} if aliases else [],
        "claims": {
            **({"P31": claim(*p31)} if p31 else {}),
            **({"P279": claim(*p279)} if p279 else {}),
        },
        "sitelinks": {f"site{n}": {"title": label} for n in range(sites)},
        "lastrevid": 1,
    }


# Classes are explained after their members, as in a real dump.
DUMP = [
    item("Q1", "Ada Lovelace", p31=["Q5"], aliases=["Countess Lovelace"], description="x", sites=9),
    item("Q2", "Oslo", p31=["Q515"], description="capital of Norway"),
    item("Q3", "Sometown", p31=["Q515"]),
    item("Q4", "Acme", p31=["Q999", "Q4830453"]),
    item("Q6", "a number", p31=["Q11563"]),
    item("Q7", "no class at all"),
    item("Q515", "city", p279=["Q486972", "Q515"]),  # in a circle with itself
]


def as_dump(items):
    return "[\n" + ",\n".join(json.dumps(i) for i in items) + "\n]\n"


@pytest.mark.parametrize(
    ("pack", "name"), [(gzip.compress, "dump.json.gz"), (bz2.compress, "dump.json.bz2")]
)
def test_wikidata_climbs_from_classes_to_labels(file, pack, name):
    labelled, damage = read("wikidata", file(pack(as_dump(DUMP).encode()), name))
    assert labelled == [
        ("Ada Lovelace", "PERSON"),
        ("Countess Lovelace", "PERSON"),
        ("Oslo", "GPE"),
        ("Sometown", "GPE"),
        ("Acme", "COMPANY"),
        ("a number", None),
    ]
    assert damage.count == 0


def test_wikidata_makes_wiki_and_wiki_small_in_one_build(file, tmp_path):
    made = build(
        readers["wikidata"]({}),
        [file(as_dump(DUMP))],
        tmp_path / "wiki.gaz",
        tokenizer=NLP,
        recipe=Recipe(subsets=("wiki", "wiki_small")),
    )
    assert made.header.per_label == {
        "wiki": {"COMPANY": 1, "GPE": 2, "PERSON": 2},
        "wiki_small": {"GPE": 1, "PERSON": 2},
    }


def test_wikidata_passes_over_damaged_lines(file):
    lines = as_dump(DUMP).split("\n")
    lines[1] = lines[1][:200]
    lines[2] = '{"id": "Q2", "labels": {}, "claims": {"P31": 3}},'
    labelled, damage = read("wikidata", file("\n".join(lines)))
    assert [name for name, _ in labelled] == ["Sometown", "Acme", "a number"]
    assert damage.first == [
        f"{damage.first[0].split(':')[0]}:{n}: not a Wikidata item" for n in (2, 3)
    ]


def test_wikidata_learns_the_classes_of_lines_it_skips(file):
    reader = readers["wikidata"]({})
    path = file(as_dump([DUMP[-1], *DUMP[:-1]]))
    entries = [entry for _, entry in reader.entries(path, Damage(), skip=4)]
    assert (entries[0].name, reader.label_of(entries[0].kind)) == ("Sometown", "GPE")
    assert reader.label_of("Q515") == "GPE"


def test_wikidata_in_another_language_and_without_aliases(file):
    labelled, _ = read("wikidata", file(as_dump(DUMP)), language="de", aliases="no")
    assert {name for name, _ in labelled} == {"D"}


# --- SPARQL results -----------------------------------------------------------------------------


def test_sparql_json(file):
    results = {
        "head": {"vars": ["item", "itemLabel", "itemAltLabel", "class", "itemDescription"]},
        "results": {
            "bindings": [
                {
                    "item": {"type": "uri", "value": "http://www.wikidata.org/entity/Q585"},
                    "itemLabel": {"xml:lang": "en", "type": "literal", "value": "Oslo"},
                    "itemAltLabel": {"type": "literal", "value": "Kristiania, Christiania"},
                    "class": {"type": "uri", "value": "http://www.wikidata.org/entity/Q6256"},
                    "itemDescription": {"type": "literal", "value": "capital"},
                },
                {
                    "item": {"type": "uri", "value": "http://www.wikidata.org/entity/Q9"},
                    "itemLabel": {"type": "literal", "value": "Q9"},
                    "class": {"type": "uri", "value": "http://www.wikidata.org/entity/Q5"},
                },
            ]
        },
    }
    labelled, damage = read("sparql", file(json.dumps(results)), kind="class")
    assert labelled == [("Oslo", "GPE"), ("Kristiania", "GPE"), ("Christiania", "GPE")]
    assert damage.count == 0


def test_sparql_csv_and_tsv(file):
    csv = file("item,itemLabel\r\nhttp://www.wikidata.org/entity/Q585,Oslo\r\n", "r.csv")
    tsv = file('?item\t?itemLabel\n<http://www.wikidata.org/entity/Q1>\t"Bergen"@en\n', "r.tsv")
    assert read("sparql", csv, label="GPE")[0] == [("Oslo", "GPE")]
    assert read("sparql", tsv, label="GPE")[0] == [("Bergen", "GPE")]


def test_sparql_says_what_is_missing(file):
    with pytest.raises(GazetteerError, match="no SPARQL results"):
        read("sparql", file("{}"), label="X")
    with pytest.raises(GazetteerError, match="--option name=VARIABLE"):
        read("sparql", file("a,b\n1,2\n"), label="X")
    with pytest.raises(GazetteerError, match="not a whole JSON"):
        read("sparql", file('{"head": {"vars": ["x"]'), label="X")


# --- GeoNames -----------------------------------------------------------------------------------


def place(number, name, ascii_name, alternates, kind, code, population):
    cells = [number, name, ascii_name, alternates, "59.9", "10.7", kind, code, "NO", "", "12", ""]
    return "\t".join([*cells, "", "", str(population), "", "26", "Europe/Oslo", "2024-01-01"])


GEONAMES = "\n".join(
    [
        place("3143244", "Oslo", "Oslo", "Christiania,Kristiania,Осло", "P", "PPLC", 1000000),
        place("1", "Ålesund", "Alesund", "", "P", "PPL", 50000),
        place("2", "Hamlet", "Hamlet", "", "P", "PPL", 12),
        place("3", "Norway", "Norway", "", "A", "PCLI", 5000000),
        place("4", "Galdhøpiggen", "Galdhopiggen", "", "T", "MT", 0),
        place("5", "Gardermoen", "Gardermoen", "", "S", "AIRP", 0),
    ]
)


def test_geonames_maps_feature_classes(file):
    labelled, damage = read("geonames", file(GEONAMES), population="1000")
    assert labelled == [
        ("Oslo", "GPE"),
        ("Ålesund", "GPE"),
        ("Alesund", "GPE"),
        ("Norway", "GPE"),
        ("Galdhøpiggen", "LOC"),
        ("Galdhopiggen", "LOC"),
        ("Gardermoen", "FAC"),
    ]
    assert damage.count == 0


def test_geonames_takes_alternate_names_of_a_language(file, tmp_path):
    others = file(
        "1\t3143244\ten\tChristiania\t\t\t\t1\n2\t3143244\tlink\thttps://oslo\n3\t3143244\tno\tOslo\n",
        "alternateNamesV2.txt",
    )
    labelled, _ = read("geonames", file(GEONAMES), classes="P", alternates=str(others))
    assert [name for name, _ in labelled][:2] == ["Oslo", "Christiania"]
    own, _ = read("geonames", file(GEONAMES), classes="P", alternatenames="yes")
    assert ("Kristiania", "GPE") in own


def test_geonames_comes_in_zip_files_and_damaged(tmp_path):
    path = tmp_path / "NO.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "short")
        archive.writestr(
            "NO.txt", GEONAMES + "\nthree\tcolumns\there\n" + GEONAMES.replace("\tT\t", "\t?\t")
        )
    _, damage = read("geonames", path)
    assert damage.reasons == {
        "3 columns where GeoNames has 19": 1,
        "unknown feature class '?'": 1,
    }


def test_geonames_options_are_checked():
    with pytest.raises(GazetteerError, match="whole number"):
        readers["geonames"]({"population": "many"})


# --- DBpedia ------------------------------------------------------------------------------------

TYPES = """\
# started 2022-12-01
<http://dbpedia.org/resource/IPhone> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://dbpedia.org/ontology/Device> .
<http://dbpedia.org/resource/Oslo> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://dbpedia.org/ontology/City> .
<http://dbpedia.org/resource/Oslo> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Thing> .
this is no triple
"""  # noqa: E501
LABELS = r"""<http://dbpedia.org/resource/IPhone> <http://www.w3.org/2000/01/rdf-schema#label> "iPhone"@en .
<http://dbpedia.org/resource/IPhone> <http://www.w3.org/2000/01/rdf-schema#label> "IPhone"@de .
<http://dbpedia.org/resource/Oslo> <http://www.w3.org/2000/01/rdf-schema#label> "Osl\u00F8 \"city\""@en .
<http://dbpedia.org/resource/Nothing> <http://www.w3.org/2000/01/rdf-schema#label> "nothing"@en .
<http://dbpedia.org/resource/Cut> <http://www.w3.org/2000/01/rdf-schema#label> "cut of"""  # noqa: E501


def test_dbpedia_joins_types_and_labels(file):
    labelled, damage = read(
        "dbpedia", file(bz2.compress(TYPES.encode()), "t.ttl.bz2"), file(LABELS, "l.nt")
    )
    assert labelled == [("iPhone", "PRODUCT"), ('Oslø "city"', "GPE")]
    assert damage.reasons == {"not one triple to a line": 2}


def test_dbpedia_reads_turtle_with_prefixes(file):
    turtle = """@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix dbr: <http://dbpedia.org/resource/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
dbr:Walkman a dbo:Device .
dbr:Walkman rdfs:label "Walkman"@en . # a remark
"""
    assert read("dbpedia", file(turtle))[0] == [("Walkman", "PRODUCT")]


def test_dbpedia_takes_only_the_classes_asked_for(file):
    paths = file(TYPES, "t.nt"), file(LABELS, "l.nt")
    assert read("dbpedia", *paths, classes="Device")[0] == [("iPhone", "PRODUCT")]


def test_dbpedia_needs_types_first(file):
    with pytest.raises(GazetteerError, match="before the file of labels"):
        read("dbpedia", file(LABELS))


# --- Registers of companies ---------------------------------------------------------------------

GLEIF_CSV = (
    '"LEI","Entity.LegalName","Entity.LegalName.xmllang",'
    '"Entity.OtherEntityNames.OtherEntityName.1",'
    '"Entity.OtherEntityNames.OtherEntityName.1.xmllang","Entity.EntityStatus"\n'
    '"001","Acme Holdings, Inc.","en","Acme Old","en","ACTIVE"\n'
    '"002","Gone Ltd","en","","","INACTIVE"\n'
)
GLEIF_XML = """<?xml version="1.0" encoding="UTF-8"?>
<lei:LEIData xmlns:lei="http://www.gleif.org/data/schema/leidata/2016"><lei:LEIRecords>
<lei:LEIRecord><lei:LEI>001</lei:LEI><lei:Entity>
<lei:LegalName xml:lang="en">Acme &amp; Sons</lei:LegalName>
<lei:OtherEntityNames><lei:OtherEntityName type="PREVIOUS_LEGAL_NAME">Acme</lei:OtherEntityName>
</lei:OtherEntityNames><lei:EntityStatus>ACTIVE</lei:EntityStatus></lei:Entity></lei:LEIRecord>
<lei:LEIRecord><lei:Entity><lei:LegalName>Gone Ltd</lei:LegalName>
<lei:EntityStatus>INACTIVE</lei:EntityStatus></lei:Entity></lei:LEIRecord>
</lei:LEIRecords></lei:LEIData>
"""


def zipped(path, content):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("golden-copy", content)
    return path


def test_gleif_as_table_and_as_xml_in_zip_files(tmp_path):
    table, xml = zipped(tmp_path / "c.zip", GLEIF_CSV), zipped(tmp_path / "x.zip", GLEIF_XML)
    assert [name for name, _ in read("gleif", table)[0]] == [
        "Acme Holdings, Inc.",
        "Acme Old",
        "Gone Ltd",
    ]
    assert [name for name, _ in read("gleif", table, status="active")[0]][-1] == "Acme Old"
    assert read("gleif", xml)[0] == [(n, "COMPANY") for n in ("Acme & Sons", "Acme", "Gone Ltd")]


def test_gleif_xml_cut_off_gives_the_records_before(file):
    labelled, damage = read("gleif", file(GLEIF_XML[: GLEIF_XML.index("Gone")]))
    assert [name for name, _ in labelled] == ["Acme & Sons", "Acme"]
    assert damage.count == 1


def test_crunchbase_roles_are_kinds(file):
    path = file(
        "uuid,name,type,primary_role,cb_url\n1,Acme,organization,company,u\n"
        "2,MIT,organization,school,u\n3,Ada Lovelace,person,,u\n4,cut\n"
    )
    labelled, damage = read("crunchbase", path)
    assert labelled == [("Acme", "COMPANY"), ("MIT", "ORG"), ("Ada Lovelace", "PERSON")]
    assert damage.count == 1


def test_sec_tickers_in_both_layouts(file):
    first = file('{"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}, "1": {}}')
    labelled, damage = read("sec", first, tickers="yes")
    assert labelled == [("Apple Inc.", "COMPANY"), ("AAPL", "COMPANY")]
    assert damage.count == 1
    second = file(
        '{"fields": ["cik", "name", "ticker", "exchange"], "data": [[1, "Acme", "AC", "NYSE"]]}'
    )
    assert read("sec", second)[0] == [("Acme", "COMPANY")]
    with pytest.raises(GazetteerError, match="not the SEC's"):
        read("sec", file("[]"))


def test_opencorporates_and_companies_house(file):
    path = file(
        "company_number,jurisdiction_code,name,current_status,previous_names\n"
        "1,gb,ACME LIMITED,Active,OLD ACME LTD|OLDER ACME LTD\n2,gb,GONE LTD,Dissolved,\n"
    )
    labelled, _ = read("opencorporates", path, status="active")
    assert [name for name, _ in labelled] == ["ACME LIMITED", "OLD ACME LTD", "OLDER ACME LTD"]
    house = file("CompanyName, CompanyNumber,CompanyStatus\nACME LIMITED,1,Active\n")
    assert read("opencorporates", house)[0] == [("ACME LIMITED", "COMPANY")]


@pytest.mark.parametrize("name", readers.names())
def test_an_empty_file_is_no_accident(file, name):
    options = {
        "text": {"label": "X"},
        "csv": {"label": "X"},
        "json": {"label": "X"},
        "sparql": {"label": "X"},
    }.get(name, {})
    path = file("")
    whole = ("labels", "sec")  # an empty file is no JSON document
    if name in whole:
        with pytest.raises(GazetteerError, match="source: not a whole JSON"):
            read(name, path, **options)
    else:
        assert read(name, path, **options) == ([], Damage())
