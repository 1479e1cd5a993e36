"""Schema graphs: scores of paths by TransE, what is pruned, unknown or cut, and the edges read."""

import numpy as np
import pytest

from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.schema import GraphVocabulary, SchemaGraphs

GRAPH = KnowledgeGraph.of(
    "",
    [
        ("trowel", "usedfor", "dig", 1.0),
        ("dig", "causes", "trowel", 1.0),
        ("plant", "causes", "dig", 1.0),
        ("ladle", "usedfor", "plant", 1.0),
        ("ladle", "isa", "trowel", 1.0),
        ("plant", "noticed", "trowel", 1.0),
    ],
)
WORDS = ("dig", "plant", "trowel")
RELATIONS = ("usedfor", "causes", "isa")
RNG = np.random.default_rng(4)
CONCEPTS, STEPS = RNG.normal(size=(3, 6)), RNG.normal(size=(3, 6))
KNOWN = GraphVocabulary({word: n for n, word in enumerate(WORDS)}, RELATIONS, CONCEPTS, STEPS)
QUESTION = "I dug to plant it"


def likely(head, relation, tail):
    """(1 + cos(r, t - h)) / 2."""
    way = CONCEPTS[WORDS.index(tail)] - CONCEPTS[WORDS.index(head)]
    along = STEPS[RELATIONS.index(relation)]
    return (1 + way @ along / np.sqrt((way @ way) * (along @ along))) / 2


def between(**more):
    return SchemaGraphs(GRAPH, KNOWN, kept_from=0.0).between(QUESTION, "a trowel", **more)


def by_words(found):
    return {
        tuple(GRAPH.concepts[one] for one in path.concepts): path
        for paths in found.paths
        for path in paths
    }


def test_a_path_scores_the_product_of_the_best_relation_of_each_step():
    paths = by_words(between())
    assert set(paths) == {("dig", "trowel"), ("plant", "dig", "trowel")}
    best = max(likely("trowel", "usedfor", "dig"), likely("dig", "causes", "trowel"))
    assert paths["dig", "trowel"].score == pytest.approx(best)
    whole = likely("plant", "causes", "dig") * best
    assert paths["plant", "dig", "trowel"].score == pytest.approx(whole)


def test_what_scores_less_is_pruned_and_what_has_no_vector_is_counted():
    every = between()
    # Through the ladle, once from each concept of the question; and along a relation of its own.
    assert every.unknown > 0
    limit = min(path.score for path in by_words(every).values()) + 1e-9
    strict = SchemaGraphs(GRAPH, KNOWN, kept_from=limit).between(QUESTION, "a trowel")
    assert strict.pruned == every.pruned + 1
    assert len(by_words(strict)) == 1


def test_a_path_that_is_cut_is_gone_and_its_pair_with_it():
    (path,) = (one for words, one in by_words(between()).items() if len(words) == 3)
    cut = between(cut={path.concepts})
    assert set(by_words(cut)) == {("dig", "trowel")}
    assert [GRAPH.concepts[one] for one, _ in cut.pairs] == ["dig"]


def test_the_network_reads_its_own_numbers_and_edges_of_the_question():
    schemas = SchemaGraphs(GRAPH, KNOWN, longest=1, kept_from=0.0)
    read = schemas.read(schemas.between(QUESTION, "trowel"))
    assert read.pairs == ((0, 2),)
    (((path,),)) = read.paths
    assert path.concepts == (0, 2)
    # What the edge says forwards is read first: digging causes a trowel, the second relation.
    assert path.relations == (1,)
    two = SchemaGraphs(GRAPH, KNOWN, longest=2, kept_from=0.0)
    graph = two.read(two.between(QUESTION, "trowel"))
    edges = {frozenset((graph.concepts[one], graph.concepts[other])) for one, other in graph.edges}
    assert edges == {frozenset((0, 2)), frozenset((0, 1))}


def test_nothing_between_is_an_empty_graph():
    schemas = SchemaGraphs(GRAPH, KNOWN)
    found = schemas.between("nothing of it", "trowel")
    assert (found.question, found.pairs, found.paths) == ((), (), ())
    read = schemas.read(found)
    assert (read.concepts, read.edges, read.pairs, read.paths) == ((), (), (), ())
