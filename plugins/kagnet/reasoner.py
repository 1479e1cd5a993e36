"""What a loaded KagNet can do, and a tiny one to try it with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from explorer.api.family import CheckpointFault, Context, GraphJudgement, MachineFault, SchemaGraph
from explorer.text import N_

from .network import PLACEHOLDER, KagNet, Sizes, sizes_of

PUBLISHED = (
    "antonym", "atlocation", "capableof", "causes", "createdby", "isa", "desires", "hassubevent",
    "partof", "hascontext", "hasproperty", "madeof", "notcapableof", "notdesires",
    "receivesaction", "relatedto", "usedfor",
)  # fmt: skip
"""Names of the relations, in the order of their vectors, where a config does not say others."""


class Reasoner:
    """As `explorer.api.GraphReasoner`."""

    def __init__(self, module: KagNet, config: Mapping[str, Any], words: Sequence[str]) -> None:
        self._module = module
        self.concepts = {word: number for number, word in enumerate(words)}
        self.relations = relations_of(config, module)
        self.concept_vectors = _rows(module.concept_emd, len(words))
        self.relation_vectors = _rows(module.relation_emd, len(self.relations))
        self.longest = module.sizes.steps - 1
        self.sentence_width = module.sizes.sentence
        self.sentence_encoder = str(config.get("sentence_encoder", ""))
        self.sentence_pooling = "mean" if config.get("sentence_pooling") == "mean" else "first"
        self.cutting = _cutting(config.get("cutting"))

    def judge(
        self, sentence: Any, graphs: Sequence[SchemaGraph], context: Context
    ) -> list[GraphJudgement]:
        """Scores of answers, each by its sentence vector and its graph."""
        like = self._module.concept_emd.weight
        found = []
        with torch.inference_mode():
            for vector, graph in zip(sentence.to(like.device, like.dtype), graphs, strict=True):
                context.check()
                judged = self._module(vector, graph)
                if not torch.isfinite(judged.score):
                    raise MachineFault(
                        N_("The network's score is not a number."),
                        N_("Load the model as float32."),
                    )
                found.append(_in_float32(judged))
        return found


def _cutting(told: Any) -> tuple[int, int]:
    """How many questions were asked, and in how many the score fell, by a config."""
    if not isinstance(told, Mapping):
        return 0, 0
    asked, lowered = told.get("questions"), told.get("lowered")
    if isinstance(asked, int) and isinstance(lowered, int) and 0 <= lowered <= asked:
        return asked, lowered
    return 0, 0


def _in_float32(judged: GraphJudgement) -> GraphJudgement:
    return GraphJudgement(
        judged.score.float(),
        judged.pair_attention.float(),
        tuple(one.float() for one in judged.path_attention),
        judged.graph_states.float(),
        tuple(one.float() for one in judged.path_states),
    )


def _rows(table: Any, count: int) -> Any:
    """Vectors without the placeholder's, numpy."""
    rows = table.weight.detach()[PLACEHOLDER : PLACEHOLDER + count]
    return rows.float().cpu().numpy().copy()


def relations_of(config: Mapping[str, Any], module: KagNet) -> tuple[str, ...]:
    """The names of the relations.

    Raises:
        CheckpointFault: There are more or fewer than vectors.
    """
    names = config.get("relations", PUBLISHED)
    named = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
    count = (module.sizes.relations - PLACEHOLDER) // 2
    if not named or len(names) != count:
        raise CheckpointFault(
            N_("The weights have vectors for {count} relations, and config.json names others."),
            N_("config.json and the weights belong to different models: copy them again."),
            count=count,
        )
    return tuple(names)


def built(weights: Mapping[str, Any], steps: int) -> KagNet:
    """A network with weights.

    Raises:
        CheckpointFault: Their shapes do not fit each other.
    """
    try:
        sizes = sizes_of({name: tuple(tensor.shape) for name, tensor in weights.items()}, steps)
        module = KagNet(sizes)
        module.load_state_dict(
            {name: weights[name].float() for name in module.state_dict()}, strict=True
        )
    except (RuntimeError, ValueError, IndexError) as error:
        raise CheckpointFault(
            N_("The weights of this KagNet do not fit each other."),
            N_("Copy or download the checkpoint again."),
        ) from error
    return module.eval()


def write_tiny(folder: Path) -> None:
    """Write a tiny checkpoint with random weights."""
    from safetensors.torch import save_file

    from explorer.hf import tiny_tokenizer

    words = ("cat", "mat", "dog", "movie", "run")
    sizes = Sizes(len(words) + 1, 2 * len(PUBLISHED) + 1, 6, 6, 5, 4, 7, 8, 32, 5)
    generator = torch.Generator().manual_seed(0)
    weights = {
        name: torch.randn(tensor.shape, generator=generator) * 0.5
        for name, tensor in KagNet(sizes).state_dict().items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors")
    (folder / "concepts.txt").write_text("\n".join(words) + "\n", "utf-8")
    config = {"model_type": "kagnet", "path_steps": sizes.steps}
    (folder / "config.json").write_text(json.dumps(config) + "\n", "utf-8")
    tiny_tokenizer("bert").save_pretrained(folder)
