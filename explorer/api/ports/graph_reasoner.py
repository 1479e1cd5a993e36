"""A port: a network that judges an answer by the paths that lead to it in a knowledge graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.context import Context


@dataclass(frozen=True)
class GraphPath:
    """A path from a concept of a question to one of an answer, in a model's own numbers.

    Attributes:
        concepts: All that it meets, both ends among them.
        relations: Between each two of them; one that is gone along backwards has its number and
            that of all relations.
    """

    concepts: tuple[int, ...]
    relations: tuple[int, ...]


@dataclass(frozen=True)
class SchemaGraph:
    """What lies between the concepts of a question and those of one answer.

    Attributes:
        concepts: Those that any path meets, in a model's own numbers.
        edges: Between which of them there are any, by their places, each once.
        pairs: Pairs of a concept of the question and one of the answer.
        paths: Those of each pair.
    """

    concepts: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[int, int], ...]
    paths: tuple[tuple[GraphPath, ...], ...]


@dataclass(frozen=True)
class GraphJudgement:
    """What a network makes of one answer; torch tensors, float32.

    Attributes:
        score: From 0 to 1.
        pair_attention: Of each pair: shares of one whole; one share alone where there is no pair.
        path_attention: Of each pair's paths: shares of one whole for each pair.
        graph_states: What the graph convolution gives of the concepts (concepts x width).
        path_states: What the LSTM gives of each pair's paths (paths x width).
    """

    score: Any
    pair_attention: Any
    path_attention: tuple[Any, ...]
    graph_states: Any
    path_states: tuple[Any, ...]


class GraphReasoner(Protocol):
    """Scores an answer to a question by a sentence vector and a schema graph.

    Attributes:
        concepts: The numbers of the concepts that it has vectors of, by their words.
        relations: Their names, in the order of their numbers.
        concept_vectors: Of TransE, by number (concepts x width), numpy.
        relation_vectors: Likewise, forwards (relations x width), numpy.
        longest: Edges of the longest path that it reads.
        sentence_width: Numbers of a sentence vector.
        sentence_encoder: The checkpoint whose sentence vectors it was trained on; "" where its
            files do not say.
        sentence_pooling: How a sentence vector is made of an encoder's last states: "first", that
            of the first token, or "mean".
        cutting: In how many questions its makers cut the path that is attended to most, and in how
            many of them the right answer's score fell; 0 and 0 where its files do not say.
    """

    concepts: Mapping[str, int]
    relations: tuple[str, ...]
    concept_vectors: Any
    relation_vectors: Any
    longest: int
    sentence_width: int
    sentence_encoder: str
    sentence_pooling: str
    cutting: tuple[int, int]

    def judge(
        self, sentence: Any, graphs: Sequence[SchemaGraph], context: Context
    ) -> list[GraphJudgement]:
        """Scores of answers, each by its sentence vector and its graph.

        Args:
            sentence: Tensor (answers x width).
            graphs: Of each answer.
            context: Can stop it between two answers.
        """
