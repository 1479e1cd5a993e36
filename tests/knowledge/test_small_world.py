"""The bundled graph says what the grammar's tables do, and the notes' questions have paths."""

import pytest

from explorer.knowledge.grounding import concepts_in
from explorer.knowledge.paths import paths_between
from explorer.knowledge.small_world import small_world_graph
from explorer.world.tables import ACTIVITIES

DIG = "I will plant flowers, so I dug the ground."
BUILD = "I will build a house."


def edges(graph):
    return {
        (graph.concepts[head], graph.relations[kind], graph.concepts[tail])
        for head, kind, tail in zip(graph.heads, graph.kinds, graph.tails, strict=True)
    }


def test_every_activity_is_told():
    told = edges(small_world_graph())
    for one in ACTIVITIES:
        assert (one.job, "capableof", one.verb) in told
        assert all((thing, "receivesaction", one.verb) in told for _, thing in one.objects)
        assert all((tool, "usedfor", one.verb) in told for _, tool in one.tools)
        assert all((one.job, "atlocation", place) in told for _, place in one.places)
    assert ("plant", "hassubevent", "dig") in told, "it has digging as a prerequisite"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DIG, ["plant", "flower", "dig", "ground"]),
        (BUILD, ["build", "house"]),
        ("The officers caught two thieves with their cars", ["officer", "catch", "thief", "car"]),
        ("She is sewing dresses and was swimming", ["sew", "dress", "swim"]),
        ("what", []),
        ("", []),
    ],
)
def test_words_are_grounded_by_their_base_forms(text, expected):
    graph = small_world_graph()
    found = [graph.concepts[one.concept] for one in concepts_in(graph, text)]
    assert [one for one in found if one != "two"] == expected


def test_paths_of_the_notes_questions():
    graph = small_world_graph()

    def said(one, other):
        paths = paths_between(graph, graph.numbers[one], graph.numbers[other])
        return [[graph.concepts[number] for number in path] for path in paths]

    assert ["ground", "dig", "trowel"] in said("ground", "trowel")
    assert ["flower", "plant", "trowel"] in said("flower", "trowel")
    assert ["house", "build", "excavator"] in said("house", "excavator")
