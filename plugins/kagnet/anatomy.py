"""What a KagNet is made of, for the architecture's page: its network without numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from explorer.api.family import Blueprint, Files, Role, TensorNames, Unavailable, role_of
from explorer.hf import missing_weights

CONVOLUTIONS = 2
"""Layers of the graph convolution; the LSTM and both attentions read what they give."""

ROLES: TensorNames = (
    ("gcn1", Role.CONVOLUTION),
    ("gcn2", Role.CONVOLUTION),
    ("qas_pathlstm_att", Role.QUERY),
    ("sent_ltrel_att", Role.QUERY),
    ("qas_encoder.0", Role.FEED_FORWARD_IN),
    ("qas_encoder.3", Role.FEED_FORWARD_OUT),
    ("hidden2output", Role.CLASSES),
)


class Config(SimpleNamespace):
    """A loaded model's config, read as those of transformers are."""

    def to_dict(self) -> dict[str, Any]:
        """Its values by name."""
        return dict(vars(self))


def with_widths(config: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """A config with what only the weights tell: the authors' files name no widths."""
    return {
        **config,
        "concept_width": shapes["concept_emd.weight"][1],
        "graph_width": shapes["graph_encoder.gcn2.apply_mod.linear.weight"][0],
    }


class Anatomy:
    """As `explorer.api.Weights`: all but the module of a config comes from the names."""

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """Two graph convolutions; it has no pieces and no heads of attention."""
        return Blueprint(
            vocabulary=0,
            embedding_size=int(config.get("concept_width", 0)),
            hidden_size=int(config.get("graph_width", 0)),
            layers=CONVOLUTIONS,
            heads=0,
            feed_forward_size=0,
            tied=False,
            heads_present=heads,
        )

    def skeleton(
        self,
        files: Files,
        heads: tuple[str, ...],  # noqa: ARG002 - it has one
    ) -> tuple[Any, Mapping[str, Any]]:
        """The network on the meta device, of the sizes that the files' tensors have.

        Raises:
            CheckpointFault: Tensors are missing, and with them the sizes.
        """
        import torch

        from . import TENSORS, steps_of
        from .network import KagNet, sizes_of

        lacking = tuple(name for name in TENSORS if name not in files.tensors)
        if lacking:
            raise missing_weights(lacking)
        shapes = {name: tuple(one.shape) for name, one in files.tensors.items()}
        with torch.device("meta"):
            module = KagNet(sizes_of(shapes, steps_of(files.config))).eval()
        return module, with_widths(files.config, shapes)

    def run_once(self, module: Any, ids: Any) -> None:  # noqa: ARG002
        """It reads graphs, so that no text goes through it.

        Raises:
            Unavailable: Always.
        """
        from . import NOT_TEXT

        raise Unavailable(NOT_TEXT)

    def role_of(self, name: str) -> Role:
        """What a tensor is for; the LSTM's and both tables have no word of a transformer's."""
        return role_of(name, ROLES)

    def used_again(self, _heads: tuple[str, ...]) -> Mapping[str, str]:
        """Every weight has one use."""
        return {}

    def heads_named(self, _config: Mapping[str, Any]) -> tuple[str, ...]:
        """All of it is one head."""
        return ("graph_reasoner",)

    def companion_of(self, _checkpoint_id: str) -> str:
        """The encoder beside it is a model of its own, and no half of it."""
        return ""

    def size_keys(self, _config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """Its config says no sizes."""
        return {}

    def layers_apart(self, _config: Mapping[str, Any]) -> Mapping[str, Any]:
        """They are."""
        return {}
