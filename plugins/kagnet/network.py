"""KagNet's network, as the authors' code has it (Lin et al. 2019, section 4).

Where the paper says otherwise, README.md tells both. Names of the weights are the authors'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from explorer.api.family import GraphJudgement, GraphPath, SchemaGraph

PLACEHOLDER = 1
"""Concept 0 and relation 0 stand for nothing: every number is one higher in the tables."""


@dataclass(frozen=True)
class Sizes:
    """Widths and numbers; all of them can be read off the weights but the length of a path.

    Attributes:
        concepts: With the placeholder.
        relations: In both directions, with the placeholder.
        concept: Width of a concept's vector.
        relation: Of a relation's.
        hidden: Of the first graph convolution.
        graph: Of the second.
        path: Of the LSTM's state.
        pair: Of a pair's vector, the paper's T.
        sentence: Of a sentence vector.
        steps: Concepts of the longest path; shorter ones are filled up.
    """

    concepts: int
    relations: int
    concept: int
    relation: int
    hidden: int
    graph: int
    path: int
    pair: int
    sentence: int
    steps: int


class _Apply(nn.Module):
    """What is done with the sum of the neighbours."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, out)


class _Convolution(nn.Module):
    """One layer: the neighbours' states are summed, then a linear map and a ReLU.

    A node's own state has no weight of its own and no part in the sum, and the sum is not divided
    by the number of neighbours.
    """

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.apply_mod = _Apply(width, out)

    def forward(self, states: Tensor, adjacency: Tensor) -> Tensor:
        """States (concepts x width), and 1.0 between neighbours (concepts x concepts)."""
        return torch.relu(self.apply_mod.linear(adjacency @ states))


class _Encoder(nn.Module):
    """Two graph convolutions."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.gcn1 = _Convolution(sizes.concept, sizes.hidden)
        self.gcn2 = _Convolution(sizes.hidden, sizes.graph)

    def forward(self, states: Tensor, adjacency: Tensor) -> Tensor:
        """As `_Convolution`."""
        found: Tensor = self.gcn2(self.gcn1(states, adjacency), adjacency)
        return found


class KagNet(nn.Module):
    """Graph convolution, an LSTM over paths, and attention over paths and over pairs."""

    def __init__(self, sizes: Sizes, dropout: float = 0.0) -> None:
        super().__init__()
        self.sizes = sizes
        self.concept_emd = nn.Embedding(sizes.concepts, sizes.concept)
        self.relation_emd = nn.Embedding(sizes.relations, sizes.relation)
        step = sizes.concept + sizes.graph + sizes.relation
        self.lstm = nn.LSTM(step, sizes.path)
        both = 2 * (sizes.concept + sizes.graph) + sizes.sentence
        self.qas_encoder = nn.Sequential(
            nn.Linear(both, 2 * sizes.pair),
            nn.Dropout(dropout),
            nn.LeakyReLU(),
            nn.Linear(2 * sizes.pair, sizes.pair),
            nn.Dropout(dropout),
            nn.LeakyReLU(),
        )
        self.qas_pathlstm_att = nn.Linear(sizes.pair, sizes.path)
        self.sent_ltrel_att = nn.Linear(sizes.sentence, sizes.pair)
        self.hidden2output = nn.Sequential(
            nn.Linear(sizes.pair + sizes.path + sizes.sentence, 1), nn.Sigmoid()
        )
        self.graph_encoder = _Encoder(sizes)

    def forward(self, sentence: Tensor, graph: SchemaGraph) -> GraphJudgement:
        """Judge one answer.

        Args:
            sentence: Its vector (width).
            graph: What lies between it and the question.
        """
        numbers = torch.tensor(graph.concepts, dtype=torch.long, device=sentence.device)
        vectors = self.concept_emd(numbers + PLACEHOLDER)
        states = self.graph_encoder(vectors, _adjacency(graph, vectors))
        pairs = self._pairs(sentence, graph, states)
        path_states, path_attention = self._paths(graph, states, pairs)
        latent = torch.stack(
            [
                shares @ steps if len(steps) else sentence.new_zeros(self.sizes.path)
                for steps, shares in zip(path_states, path_attention, strict=True)
            ]
            or [sentence.new_zeros(self.sizes.path)]
        )
        pair_attention = torch.softmax(pairs @ self.sent_ltrel_att(sentence), dim=0)
        pooled = pair_attention @ torch.cat((pairs, latent), dim=1)
        score = self.hidden2output(torch.cat((pooled, sentence)))[0]
        return GraphJudgement(score, pair_attention, path_attention, states, path_states)

    def _pairs(self, sentence: Tensor, graph: SchemaGraph, states: Tensor) -> Tensor:
        """A vector of each pair, the paper's T; one of zeros' where there is no pair."""
        place = {number: at for at, number in enumerate(graph.concepts)}
        if not graph.pairs:
            ends = [sentence.new_zeros(1, self.sizes.concept + self.sizes.graph)] * 2
        else:
            vectors = self.concept_emd(
                torch.tensor(graph.pairs, dtype=torch.long, device=sentence.device) + PLACEHOLDER
            )
            ends = [
                torch.cat(
                    (vectors[:, side], states[[place[pair[side]] for pair in graph.pairs]]), 1
                )
                for side in (0, 1)
            ]
        whole = torch.cat((*ends, sentence.expand(len(ends[0]), -1)), dim=1)
        found: Tensor = self.qas_encoder(whole)
        return found

    def _paths(
        self, graph: SchemaGraph, states: Tensor, pairs: Tensor
    ) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        """The LSTM's state of each path of each pair, and the attention to it."""
        counts = [len(paths) for paths in graph.paths]
        every = [path for paths in graph.paths for path in paths]
        if not every:
            none = states.new_zeros(0, self.sizes.path)
            return (none,) * len(counts), (states.new_zeros(0),) * len(counts)
        steps, _ = self.lstm(self._steps(every, graph.concepts, states))
        # The last step of all, which for a shorter path is one that only fills it up.
        ends = torch.split(steps[-1], counts)
        queries = self.qas_pathlstm_att(pairs)
        attention = [
            torch.softmax(end @ query, dim=0) for end, query in zip(ends, queries, strict=True)
        ]
        return tuple(ends), tuple(attention)

    def _steps(self, paths: Sequence[GraphPath], concepts: Sequence[int], states: Tensor) -> Tensor:
        """What the LSTM reads: steps x paths x (concept, its graph state, relation to the next)."""
        place = {number: at for at, number in enumerate(concepts, start=PLACEHOLDER)}
        length = self.sizes.steps

        def filled(rows: list[list[int]]) -> Tensor:
            full = [row + [0] * (length - len(row)) for row in rows]
            return torch.tensor(full, dtype=torch.long, device=states.device).T

        numbers = filled([[one + PLACEHOLDER for one in path.concepts] for path in paths])
        places = filled([[place[one] for one in path.concepts] for path in paths])
        relations = filled([[one + PLACEHOLDER for one in path.relations] for path in paths])
        nothing = states.new_zeros(1, states.shape[1])
        return torch.cat(
            (
                self.concept_emd(numbers),
                torch.cat((nothing, states))[places],
                self.relation_emd(relations),
            ),
            dim=2,
        )


def _adjacency(graph: SchemaGraph, like: Tensor) -> Tensor:
    """1.0 between neighbours, in both directions."""
    count = len(graph.concepts)
    found = like.new_zeros(count, count)
    for one, other in graph.edges:
        found[one, other] = found[other, one] = 1.0
    return found


def sizes_of(weights: Any, steps: int) -> Sizes:
    """The sizes of a network, from the shapes of its weights.

    Args:
        weights: Shapes by name.
        steps: Concepts of the longest path.
    """
    concepts, concept = weights["concept_emd.weight"]
    relations, relation = weights["relation_emd.weight"]
    hidden = weights["graph_encoder.gcn1.apply_mod.linear.weight"][0]
    graph = weights["graph_encoder.gcn2.apply_mod.linear.weight"][0]
    return Sizes(
        concepts,
        relations,
        concept,
        relation,
        hidden,
        graph,
        weights["lstm.weight_hh_l0"][1],
        weights["sent_ltrel_att.weight"][0],
        weights["sent_ltrel_att.weight"][1],
        steps,
    )
