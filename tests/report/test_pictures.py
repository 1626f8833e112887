import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silverspan.report.pictures import (
    STYLE,
    Layer,
    bars,
    colour_class,
    curve,
    heat_map,
    layered_text,
    lines_of,
    reliability,
    standalone,
    visible,
)

SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("LOC", "PER")
HOSTILE = '<script>"&\u202e\x07\udc80</script>'


def layer(*spans, name="cities", kind="function"):
    return Layer(name=name, kind=kind, spans=spans)


def pictures(name):
    return [
        heat_map(np.array([[0.2]]), [name], title=name, numbers=True),
        layered_text([name], [layer((0, 1, name, 0.5), name=name)], labels=LABELS, title=name),
        bars({name: [0.5]}, [name], title=name),
        curve([1.0, 2.0], title=name, across=name),
        reliability([(0.5, 0.4, 3)], title=name),
    ]


@pytest.mark.parametrize("svg", pictures(HOSTILE) + pictures("plain"))
def test_every_picture_is_a_well_formed_file_whatever_the_names_are(svg):
    root = ElementTree.fromstring(standalone(svg).encode())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert root.find(f"{SVG}script") is None
    assert not re.search("[\u202e\x07\udc80]", svg)


@pytest.mark.parametrize("svg", pictures("plain"))
def test_every_class_of_a_picture_has_a_style(svg):
    used = {name for found in re.findall(r'class="([^"]*)"', svg) for name in found.split()}
    known = set(re.findall(r"\.(p[\w-]*)", STYLE))
    assert used - {"p-number"} <= known


def test_the_style_names_the_same_classes_light_and_dark():
    light, dark = STYLE.split("@media", 1)
    colours = re.compile(r"\.(p-l\d)")
    assert set(colours.findall(light)) == set(colours.findall(dark))


def test_a_heat_map_draws_what_is_there_and_says_it():
    values = np.array([[1.0, 0.25], [0.0, 1.0]])
    svg = heat_map(values, ["a", "b"], title="agreement")
    cells = re.findall(r'fill-opacity="([\d.]+)"><title>([^<]*)', svg)
    assert [name for _, name in cells] == ["a / a: 100.0 %", "a / b: 25.0 %", "b / b: 100.0 %"]
    assert float(cells[0][0]) > float(cells[1][0])


def test_layers_stand_under_their_tokens_in_every_line():
    tokens = ["In", "Oslo", "and", "Rome"]
    svg = layered_text(
        tokens, [layer((1, 2, "LOC", 1.0), (3, 4, "LOC", 0.5))], labels=LABELS, title="t", width=8
    )
    root = ElementTree.fromstring(svg)
    x = {text.text: float(text.get("x")) for text in root.iter(f"{SVG}text")}
    boxes = [float(rect.get("x")) for rect in root.iter(f"{SVG}rect")]
    assert boxes == [x["Oslo"], x["Rome"]]
    assert svg.count(">cities<") == 2


@given(st.lists(st.text(max_size=12), max_size=30), st.integers(1, 40))
def test_lines_hold_every_token_once(tokens, width):
    lines = lines_of(tokens, width)
    assert [i for first, last in lines for i in range(first, last)] == list(range(len(tokens)))
    assert all(first < last for first, last in lines)


def test_labels_beyond_the_palette_have_an_edge_and_unknown_ones_are_grey():
    many = tuple(f"L{i}" for i in range(12))
    assert len({colour_class(label, many) for label in many}) == 12
    assert colour_class("L10", many).endswith("p-again")
    assert colour_class("other", many) == "p-l7"


@given(st.text())
def test_visible_text_turns_nothing_around(text):
    shown = visible(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown)
    if text.isascii() and text.isprintable():
        assert shown == text


def test_bars_tell_their_intervals():
    svg = bars({"LOC": [0.8]}, ["silver"], title="F1", intervals={"LOC": [(0.7, 0.9)]})
    assert "95 % interval 0.700 to 0.900" in svg
    assert "p-whisker" in svg
