"""What a KagNet is trained and measured with: schema graphs, sentence vectors, and who is right."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from explorer.api.question import SchemaGraph
from explorer.knowledge.grounding import concepts_in
from explorer.knowledge.relations import RELATIONS
from explorer.knowledge.schema import GraphVocabulary, SchemaGraphs
from explorer.knowledge.small_world import small_world_graph
from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.models.span_boundary import plugin_module
from explorer.numerics.triples import Triples
from explorer.objectives.knowledge import transe
from explorer.pretraining.distillation.students import teacher_folder
from explorer.world.tasks.choices import CHOICES, ChoiceQuestion, questions

ENCODER: Final = "bert-miniature"
WIDTH: Final = 50
"""Of the vectors of concepts and relations: half of what was published."""
PASSES: Final = 300
"""Of TransE over all facts."""
DROPOUT: Final = 0.0
NOTHING: Final = SchemaGraph((), (), (), ())


@functools.cache
def vectors() -> transe.Vectors:
    """TransE's, of the small world's graph."""
    graph = small_world_graph()
    facts = np.stack((graph.heads, graph.kinds, graph.tails), axis=1)
    return transe.train(Triples(facts, graph.concepts, RELATIONS), width=WIDTH, passes=PASSES)


@functools.cache
def trainable() -> Any:
    """The network of the family's plugin, with the ways to write and read it."""
    network: Any = plugin_module("kagnet", "network")

    class TrainableKagNet(network.KagNet):  # type: ignore[misc]
        def save_pretrained(self, folder: Path) -> None:
            """Weights, config and the words of the concepts."""
            from safetensors.torch import save_file

            folder.mkdir(parents=True, exist_ok=True)
            weights = {name: one.contiguous() for name, one in self.state_dict().items()}
            save_file(weights, folder / "model.safetensors")
            config = {
                "model_type": "kagnet",
                "path_steps": self.sizes.steps,
                "relations": list(RELATIONS),
                "sentence_encoder": ENCODER,
                "sentence_pooling": "first",
            }
            (folder / "config.json").write_text(json.dumps(config) + "\n", "utf-8")
            words = "".join(f"{one}\n" for one in small_world_graph().concepts)
            (folder / "concepts.txt").write_text(words, "utf-8")

        @classmethod
        def from_pretrained(cls, folder: Path, dtype: str) -> Self:  # noqa: ARG003
            """The same as it was written, in float32."""
            from safetensors.torch import load_file

            weights = load_file(folder / "model.safetensors")
            shapes = {name: tuple(one.shape) for name, one in weights.items()}
            steps = json.loads((folder / "config.json").read_text("utf-8"))["path_steps"]
            made = cls(network.sizes_of(shapes, steps))
            made.load_state_dict({name: one.float() for name, one in weights.items()})
            return made

    return TrainableKagNet


def fresh() -> Any:
    """A network whose concepts and relations have TransE's vectors, which stay as they are."""
    import torch

    network: Any = plugin_module("kagnet", "network")
    known = vectors()
    relations = torch.from_numpy(known.relations)
    sizes = network.Sizes(
        concepts=len(known.entities) + 1,
        relations=2 * len(RELATIONS) + 1,
        concept=WIDTH,
        relation=WIDTH,
        hidden=50,
        graph=25,
        path=64,
        pair=64,
        sentence=sentence_width(),
        steps=5,
    )
    made = trainable()(sizes, DROPOUT)
    with torch.no_grad():
        nothing = torch.zeros(1, WIDTH)
        made.concept_emd.weight.copy_(torch.cat((nothing, torch.from_numpy(known.entities))))
        # What a relation says backwards is the step back.
        made.relation_emd.weight.copy_(torch.cat((nothing, relations, -relations)))
    made.concept_emd.weight.requires_grad_(False)
    made.relation_emd.weight.requires_grad_(False)
    return made


@functools.cache
def _encoder() -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    folder = teacher_folder(ENCODER)
    model = AutoModel.from_pretrained(folder, dtype="float32").eval()
    return model, AutoTokenizer.from_pretrained(folder)


def sentence_width() -> int:
    """Numbers of a sentence vector."""
    return int(_encoder()[0].config.hidden_size)


def sentences(asked: Sequence[ChoiceQuestion]) -> Any:
    """The encoder's last state of [CLS] for each question with each choice.

    Returns:
        Tensor (questions x choices x width).
    """
    import torch

    model, tokenizer = _encoder()
    texts = [one.text for one in asked for _ in one.choices]
    choices = [choice for one in asked for choice in one.choices]
    with torch.inference_mode():
        read = tokenizer(texts, choices, padding=True, return_tensors="pt")
        states = model(**read).last_hidden_state[:, 0]
    return states.clone().view(len(asked), CHOICES, -1)


@functools.cache
def _schemas() -> SchemaGraphs:
    graph, known = small_world_graph(), vectors()
    words = GraphVocabulary(graph.numbers, RELATIONS, known.entities, known.relations)
    return SchemaGraphs(graph, words)


@functools.lru_cache(maxsize=100_000)
def _schema(concepts: tuple[str, ...], choice: str) -> SchemaGraph:
    schemas = _schemas()
    return schemas.read(schemas.between(" ".join(concepts), choice))


def schema(text: str, choice: str) -> SchemaGraph:
    """What lies between a question and a choice; who asks makes no difference."""
    return _schema(_named(text), choice)


@functools.lru_cache(maxsize=100_000)
def _named(text: str) -> tuple[str, ...]:
    graph = small_world_graph()
    return tuple(graph.concepts[one.concept] for one in concepts_in(graph, text))


class GraphQuestionBatches(TrainingBatches):
    """Questions that are trained on, drawn anew for every step.

    Args:
        examples: Questions in a batch.
        seed: Of the stream.
        with_graphs: False gives what the encoder alone can know.
    """

    def __init__(self, examples: int, seed: int, *, with_graphs: bool = True) -> None:
        self._examples, self._seed, self._with_graphs = examples, seed, with_graphs

    def batch(self, step: int) -> Mapping[str, Any]:
        """Sentence vectors, graphs, and the numbers of the right choices."""
        stream = questions(self._seed * 1_000_003 + step, withheld=False)
        asked = list(itertools.islice(stream, self._examples))
        return {
            "sentences": sentences(asked),
            "graphs": [
                [
                    schema(one.text, choice) if self._with_graphs else NOTHING
                    for choice in one.choices
                ]
                for one in asked
            ],
            "right": [one.right for one in asked],
        }

    def _graph(self, text: str, choice: str) -> SchemaGraph:
        return schema(text, choice) if self._with_graphs else NOTHING


def most_attended(judged: Any) -> tuple[int, int] | None:
    """The pair and the path in it that are attended to most; None where there is no path."""
    shares = [
        (whole * share, pair, path)
        for pair, (whole, each) in enumerate(
            zip(judged.pair_attention.tolist(), judged.path_attention, strict=False)
        )
        for path, share in enumerate(each.tolist())
    ]
    return max(shares)[1:] if shares else None


def without_path(graph: SchemaGraph, pair: int, path: int) -> SchemaGraph:
    """A graph without one path, and without the edges that only it goes along.

    Those between two concepts of the question, or of the answer, stay as long as a path begins or
    ends at both.
    """
    paths = [list(each) for each in graph.paths]
    del paths[pair][path]
    pairs = tuple(one for one, each in zip(graph.pairs, paths, strict=True) if each)
    kept = {
        frozenset(step)
        for each in paths
        for way in each
        for step in itertools.pairwise(way.concepts)
    }
    sides = ({one for one, _ in pairs}, {other for _, other in pairs})
    edges = [
        (graph.concepts[one], graph.concepts[other])
        for one, other in graph.edges
        if frozenset(ends := {graph.concepts[one], graph.concepts[other]}) in kept
        or any(ends <= side for side in sides)
    ]
    met = sorted({concept for edge in edges for concept in edge})
    place = {concept: at for at, concept in enumerate(met)}
    return SchemaGraph(
        tuple(met),
        tuple((place[one], place[other]) for one, other in edges),
        pairs,
        tuple(tuple(each) for each in paths if each),
    )


def judged(model: Any, vectors_of: Any, graphs: Sequence[SchemaGraph]) -> list[Any]:
    """What a network makes of one question's choices."""
    return [model(vector, graph) for vector, graph in zip(vectors_of, graphs, strict=True)]


def scores(model: Any, vectors_of: Any, graphs: Sequence[SchemaGraph]) -> Any:
    """Of one question's choices, a tensor."""
    import torch

    return torch.stack([one.score for one in judged(model, vectors_of, graphs)])


def withheld_questions(count: int, seed: int) -> list[ChoiceQuestion]:
    """Questions whose right tool was right for the verb in no training."""
    return list(itertools.islice(questions(seed, withheld=True), count))


def measure(model: Any, asked: Sequence[ChoiceQuestion], *, with_graphs: bool = True) -> float:
    """The share that is answered right."""
    import torch

    right = 0
    for one in asked:
        (rows,) = sentences([one])
        graphs = [schema(one.text, choice) if with_graphs else NOTHING for choice in one.choices]
        with torch.inference_mode():
            right += int(scores(model, rows, graphs).argmax()) == one.right
    return right / len(asked)


def lowered_by_cutting(model: Any, asked: Sequence[ChoiceQuestion]) -> int:
    """In how many questions the right choice's score falls without its most attended path."""
    import torch

    lowered = 0
    for one in asked:
        graph = schema(one.text, one.choices[one.right])
        vector = sentences([one])[0, one.right]
        with torch.inference_mode():
            judged = model(vector, graph)
            top = most_attended(judged)
            if top is not None:
                again = model(vector, without_path(graph, *top))
                lowered += float(again.score) < float(judged.score)
    return lowered
