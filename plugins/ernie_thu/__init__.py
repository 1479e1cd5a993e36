"""ERNIE (Zhang et al. 2019, Tsinghua): a BERT that reads entities of a knowledge graph as well."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    Blueprint,
    CheckpointFault,
    Context,
    Encoded,
    Files,
    Knowledge,
    LoadedModel,
    LoadOptions,
    Mask,
    Mention,
    Recognition,
    Role,
    Trait,
)
from explorer.hf import (
    BERT_ATTENTION,
    BERT_MASKED_LM,
    BERT_NAMES,
    BERT_NEXT_SENTENCE,
    OLD_NAMES,
    ClassChoice,
    HeadSpec,
    TransformersFamily,
    load_tokenizer,
)
from explorer.text import N_, Phrase

from .place import find

KINDS = frozenset({"sim", "mix", "norm"})
"""What its layers are called in `layer_types`."""

ENTITIES = HeadSpec(
    name="entities",
    title=N_("Entities"),
    tensors=tuple(
        f"cls.predictions_ent.transform.{module}.{part}"
        for module in ("dense", "LayerNorm")
        for part in ("weight", "bias")
    ),
    modules=("cls.predictions_ent.",),
)

TYPES = HeadSpec(
    name="types",
    title=N_("Types of entities"),
    tensors=("pooler.dense.weight", "pooler.dense.bias", "typing.weight"),
    modules=("typing.",),
)
RELATIONS = HeadSpec(
    name="relations",
    title=N_("Relations of entities"),
    tensors=("pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias"),
    modules=("classifier.",),
)

NO_GRAPH = N_(
    "There is no folder kg_embed in the model's folder or next to it: put the "
    "vectors of the entities there that were published with the model."
)


@dataclass(frozen=True)
class ErnieThuFamily(TransformersFamily):
    """Its network is this plugin's own: transformers has none."""

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by the kinds of its layers, or by the matrices that fuse entities."""
        kinds = files.config.get("layer_types")
        if isinstance(kinds, list) and kinds and KINDS.issuperset(map(str, kinds)):
            return Recognition(
                self.id, 97, N_("Its config names layers that fuse entities (layer_types).")
            )
        if any(".intermediate.dense_ent." in name for name in files.tensors):
            return Recognition(self.id, 97, N_("It holds dense_ent, which fuses entities."))
        if files.config.get("model_type") == self.id:
            return Recognition(self.id, 90, N_('Its config.json says model_type "ernie_thu".'))
        return None

    def model_class(self, heads: set[str]) -> Any:
        """The plugin's own; heads whose weights are missing are not offered."""
        from . import model

        return model.ErnieThuForPreTraining if heads else model.ErnieThuModel

    def tokenizer(self, files: Files) -> Any:
        """Published with vocab.txt alone: an uncased BERT's."""
        if {"tokenizer_config.json", "tokenizer.json"} & set(files.tokenizer_files):
            return load_tokenizer(files, tokenizer_type="bert")
        return load_tokenizer(files, tokenizer_type="bert", do_lower_case=True)

    def weights(self, files: Files, options: LoadOptions) -> dict[str, Any]:
        """Under their names of today, and without what says where the positions are."""
        found = {}
        for name, tensor in super().weights(files, options).items():
            for pattern, new in OLD_NAMES:
                name = pattern.sub(new, name)  # noqa: PLW2901
            found[name] = tensor
        return found

    def offers(self, files: Files) -> frozenset[type]:
        """With the entities where their vectors lie beside the model."""
        found = super().offers(files)
        return found | {Knowledge} if find(files.folder) is not None else found

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """The model, and the entities it reads where they lie beside it."""
        from .graph import open_graph
        from .knowledge import GraphKnowledge

        model = super().load(checkpoint_id, self.with_tasks(files), options, context)
        source = find(files.folder)
        if source is None:
            return self._without(model, NO_GRAPH)
        try:
            found = open_graph(source, int(model.config.entity_size), context)
        except CheckpointFault as error:
            return self._without(model, error.problem)
        heads = frozenset(head.name for head in model.heads if head.present)
        model.ports[Knowledge] = GraphKnowledge(model, found, heads)
        return model

    @staticmethod
    def with_tasks(files: Files) -> Files:
        """With as many types and relations in the config as its heads for tasks have rows."""
        rows = {
            name: files.tensors[tensor].shape[0]
            for name, tensor in (("types", "typing.weight"), ("relations", "classifier.weight"))
            if tensor in files.tensors
        }
        return replace(files, config={**files.config, **rows}) if rows else files

    @staticmethod
    def _without(model: LoadedModel, why: str) -> LoadedModel:
        model.refused = {**model.refused, Knowledge: why}
        return model

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),
        begin: bool = False,
        entities: Sequence[Mention] = (),
    ) -> Encoded:
        """As `LoadedModel.encode`, with the entities that its words name."""
        encoded = super().encode(model, text, pair, masks, languages=languages, begin=begin)
        if not entities:
            return encoded
        from .knowledge import GraphKnowledge

        knowledge = model.port(Knowledge)
        assert isinstance(knowledge, GraphKnowledge)
        return knowledge.aligned(encoded, entities)

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's, and which layers read entities."""
        plain = super().blueprint(config, heads)
        kinds = list(config.get("fusion") or config.get("layer_types") or ())[: plain.layers]
        mixing, attending = kinds.count("mix"), kinds.count("norm")
        trait = Trait(
            "feed_forward",
            Phrase(
                N_("{fusing} of {layers} layers fuse words with entities"),
                fusing=mixing + attending,
                layers=plain.layers,
            ),
            Phrase(
                N_(
                    "There the feed-forward part reads a word's state and its entity's together; "
                    "in {attending} of these layers entities attend to each other first (Zhang et "
                    "al. 2019, section 3.4)."
                ),
                attending=attending,
            ),
        )
        return replace(plain, traits=(*plain.traits, trait))


FAMILY = ErnieThuFamily(
    id="ernie_thu",
    title="ERNIE (Tsinghua)",
    model_types=("ernie_thu", "bert"),
    heads_known=(BERT_MASKED_LM, BERT_NEXT_SENTENCE, ENTITIES, TYPES, RELATIONS),
    classes=(
        ClassChoice("ErnieThuModel", frozenset()),
        ClassChoice(
            "ErnieThuForPreTraining",
            frozenset({"masked_lm", "next_sentence", "entities", "types", "relations"}),
        ),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
    # What follows attention reads the entities of all tokens: the last layer runs whole.
    attention=replace(BERT_ATTENTION, tail=""),
    roles=(
        ("cls.predictions_ent", Role.TRAINING),
        ("typing", Role.CLASSES),
        ("attention.self_ent", Role.ENTITIES),
        ("attention.output_ent", Role.ENTITIES),
        ("dense_ent", Role.ENTITIES),
        ("LayerNorm_ent", Role.ENTITIES),
        *BERT_NAMES,
    ),
)


def tiny(folder: Path) -> None:
    """A small random checkpoint of each kind of layer, to try the plugin with."""
    from explorer.hf import tiny_tokenizer, write_tiny

    from .model import ErnieThuForPreTraining

    write_tiny(
        FAMILY,
        folder,
        model_class=ErnieThuForPreTraining,
        tokenizer=tiny_tokenizer("bert"),
        config={"fusion": ["sim", "mix", "norm"], "entity_size": 12, "entity_heads": 2},
    )


def plain_logits(folder: Path, input_ids: Any) -> Any:
    """Logits (tokens x vocabulary) of the whole network, every layer and head run in full."""
    import json

    import torch
    from safetensors.torch import load_file

    from .model import ErnieThuConfig, ErnieThuForPreTraining

    config = ErnieThuConfig.from_dict(json.loads((folder / "config.json").read_text("utf-8")))
    module = ErnieThuForPreTraining(config).eval()
    module.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    with torch.inference_mode():
        return module(torch.as_tensor(input_ids)[None]).logits[0].numpy()
