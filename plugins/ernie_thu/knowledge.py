"""A loaded model's entities: found in texts, put beside their words, and what becomes of them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.family import (
    Context,
    Encoded,
    Entity,
    EntityLinks,
    EntityStates,
    LoadedModel,
    Mention,
    Unavailable,
)
from explorer.hf import cancellable, eager_attention, labels_of, link_entities, must_be_numbers
from explorer.text import N_

from .graph import Graph
from .model import NO_ENTITY

N_TYPE, N_RELATION = "type", "relation"
"""What classes are called that the checkpoint gives no names."""


class GraphKnowledge:
    """As `explorer.api.Knowledge`.

    Args:
        model: Who reads the entities; its network is told where their vectors are.
        graph: The entities.
        heads: Names of the heads whose weights were in the files.
    """

    def __init__(self, model: LoadedModel, graph: Graph, heads: Collection[str]) -> None:
        self._model, self._graph = model, graph
        self.graph, self.count = graph.digest, graph.count
        self.tells_entities = "entities" in heads
        self.types = self._labels("types", N_TYPE) if "types" in heads else ()
        self.relations = self._labels("relations", N_RELATION) if "relations" in heads else ()
        self._network.vectors = self._vectors

    def _labels(self, head: str, unnamed: str) -> tuple[str, ...]:
        """The config's names, where it has as many as the head has rows; else numbers."""
        count = int(getattr(self._model.config, head))
        named = labels_of(self._model.config)
        if len(named) == count and not all(one.startswith("LABEL_") for one in named):
            return named
        return tuple(f"{unnamed} {number}" for number in range(count))

    def type_logits(self, encoded: Encoded, context: Context) -> Any:
        """As `Knowledge.type_logits`."""
        return self._pooled(encoded, "typing", context)

    def relation_logits(self, encoded: Encoded, context: Context) -> Any:
        """As `Knowledge.relation_logits`."""
        return self._pooled(encoded, "classifier", context)

    def _pooled(self, encoded: Encoded, name: str, context: Context) -> Any:
        """What a head for a task makes of the pooled first token."""
        import torch

        with torch.inference_mode(), cancellable(context):
            pooled = self._network(**encoded.inputs).pooler_output
            logits = getattr(self._model.module, name)(pooled)[0].float()
        must_be_numbers(self._model, logits)
        return logits

    @property
    def _network(self) -> Any:
        return self._model.module.base_model

    def _vectors(self, numbers: Any) -> Any:
        """Vectors of numbers of entities, a tensor each."""
        import torch

        return torch.from_numpy(self._graph.rows(numbers.cpu().tolist())).to(numbers.device)

    def link(self, text: str, pair: str | None = None) -> EntityLinks:
        """As `Knowledge.link`."""
        return link_entities(self._graph.named, text, pair)

    def entity(self, entity: str) -> Entity:
        """As `Knowledge.entity`."""
        return self._graph.entity(entity)

    def named(self, beginning: str, most: int) -> tuple[Entity, ...]:
        """As `Knowledge.named`."""
        return self._graph.beginning(beginning, most)

    def aligned(self, encoded: Encoded, mentions: Sequence[Mention]) -> Encoded:
        """An input with an entity at the first token of each mention.

        What lies in the part of the text that does not fit is left out with it.

        Raises:
            UserMistake: The graph has none of an id.
        """
        import torch

        numbers = [NO_ENTITY] * len(encoded.tokens)
        for mention in sorted(mentions, reverse=True):
            row = self._graph.number(mention.entity)
            for position, token in enumerate(encoded.tokens):
                if (
                    not token.special
                    and token.part == mention.part
                    and token.start < mention.end
                    and mention.start < token.end
                ):
                    numbers[position] = row
                    break
        ids = torch.tensor([numbers], dtype=torch.long, device=encoded.input_ids.device)
        return replace(encoded, inputs={**encoded.inputs, "entity_ids": ids})

    def fused(self, encoded: Encoded, context: Context) -> EntityStates:
        """As `Knowledge.fused`."""
        import torch

        model = self._model
        with torch.inference_mode(), cancellable(context), eager_attention(model.module):
            output = self._network(
                **encoded.inputs, output_hidden_states=True, output_attentions=True
            )
        ids = encoded.inputs.get("entity_ids")
        aligned = [] if ids is None else (ids[0] != NO_ENTITY).nonzero()[:, 0].tolist()
        states = torch.stack([row[0] for row in output.hidden_states]).float()
        must_be_numbers(model, states)
        return EntityStates(
            states=states,
            entity_states=torch.stack([row[0] for row in output.entity_states]).float(),
            kinds=tuple(layer.kind for layer in self._network.encoder.layer),
            attention={
                layer: weights[0].float()
                for layer, weights in enumerate(output.entity_attentions)
                if weights is not None
            },
            # The first token has no entity, but a place that the others may look at.
            counted=tuple(sorted({0, *aligned})),
        )

    def entity_logits(
        self, encoded: Encoded, positions: Sequence[int], ids: Sequence[str], context: Context
    ) -> Any:
        """As `Knowledge.entity_logits`."""
        import torch

        if not self.tells_entities:
            raise Unavailable(N_("This checkpoint has no head that finds entities."))
        rows = self._graph.rows([self._graph.number(one) for one in ids])
        with torch.inference_mode(), cancellable(context):
            states = self._model.encoder(**encoded.inputs)[0][list(positions)]
            candidates = torch.from_numpy(rows).to(states)
            logits = self._model.module.cls.predictions_ent(states, candidates).float()
        must_be_numbers(self._model, logits)
        return logits
