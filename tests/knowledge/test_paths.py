"""Paths of up to four edges: all there are, the shortest and then the cheapest first."""

import itertools
import math

import numpy as np
import pytest

from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.paths import paths_between


def random_graph(concepts, edges, seed):
    rng = np.random.default_rng(seed)
    names = [f"c{number}" for number in range(concepts)]
    triples = [
        (names[head], f"r{kind}", names[tail], float(weight))
        for head, tail, kind, weight in zip(
            rng.integers(0, concepts, edges),
            rng.integers(0, concepts, edges),
            rng.integers(0, 3, edges),
            rng.uniform(0.5, 4.0, edges),
            strict=True,
        )
    ]
    return KnowledgeGraph.of("random", triples)


def walked(graph, start, end, longest):
    """Every simple path with its cost, by walking."""
    cheapest = {}
    for head, tail, weight in zip(graph.heads, graph.tails, graph.weights, strict=True):
        cost = 1.0 + math.exp(1.0 - weight)
        for pair in ((int(head), int(tail)), (int(tail), int(head))):
            cheapest[pair] = min(cheapest.get(pair, math.inf), cost)
    beside = {}
    for one, other in cheapest:
        beside.setdefault(one, []).append(other)
    found, open_paths = [], [((start,), 0.0)]
    while open_paths:
        path, cost = open_paths.pop()
        for other in beside.get(path[-1], ()):
            if other in path:
                continue
            longer = ((*path, other), cost + cheapest[path[-1], other])
            if other == end:
                found.append(longer)
            elif len(path) < longest:
                open_paths.append(longer)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_all_paths_are_found_and_no_other(seed):
    graph = random_graph(24, 60, seed)
    for start, end in itertools.islice(itertools.permutations(range(24), 2), seed, 200, 17):
        expected = {path for path, _ in walked(graph, start, end, 4)}
        found = paths_between(graph, start, end, most=10**6)
        assert len(found) == len(set(found))
        assert set(found) == expected


@pytest.mark.parametrize("most", [1, 7, 40])
def test_the_shortest_come_first_and_of_those_the_cheapest(most):
    graph = random_graph(30, 160, 9)
    for start, end in ((0, 1), (3, 20), (7, 8), (11, 29)):
        every = sorted((len(path), round(cost, 9)) for path, cost in walked(graph, start, end, 4))
        assert len(every) > most
        costs = dict(walked(graph, start, end, 4))
        found = paths_between(graph, start, end, most=most)
        assert [(len(path), round(costs[path], 9)) for path in found] == every[:most]


def test_of_a_length_that_is_asked_for_and_none_to_itself():
    graph = random_graph(20, 50, 2)
    assert {len(path) for path in paths_between(graph, 0, 1, longest=2, most=99)} <= {2, 3}
    assert paths_between(graph, 4, 4) == ()


def test_no_path_goes_along_an_edge_that_only_names_a_field():
    graph = KnowledgeGraph.of("", [("a", "hascontext", "b", 1.0), ("b", "isa", "c", 1.0)])
    assert paths_between(graph, 0, 2) == ()
    assert paths_between(graph, 1, 2) == ((1, 2),)


def test_what_is_cut_is_gone_along_by_no_path():
    graph = KnowledgeGraph.of(
        "", [("a", "isa", "b", 1.0), ("b", "usedfor", "a", 1.0), ("b", "isa", "c", 1.0)]
    )
    assert paths_between(graph, 0, 2) == ((0, 1, 2),)
    assert graph.between(0, 1) == (0, 3), "the second one is gone along backwards"
    assert graph.between(1, 0) == (1, 2)
    assert paths_between(graph.without([(1, 0)]), 0, 2) == ()
