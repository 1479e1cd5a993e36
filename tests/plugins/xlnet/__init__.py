"""XLNet (Yang et al. 2019): tokens predicted in any order, from those that come before in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.family import (
    AttentionModules,
    BidirectionalPredictor,
    InputEmbeddings,
    LayerTrace,
    LoadedModel,
    Neurons,
    Predictor,
    StepwisePass,
)
from explorer.hf import ClassChoice, HeadSpec, TransformersFamily, write_tiny

from .predictor import PermutationPredictor, hidden_from_all

HEAD = HeadSpec(
    name="permutation_lm",
    title="Permutation language model",
    tensors=("lm_loss.bias",),
    tied={"lm_loss.weight": "word_embedding.weight"},
    modules=("lm_loss.",),
    ports=(Predictor, BidirectionalPredictor),
)


@dataclass(frozen=True)
class XlnetFamily(TransformersFamily):
    """Two streams: one of contents, and one that asks without seeing."""

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """Its projections can't be watched, and its predictor reads no other vectors."""
        watched = {AttentionModules, LayerTrace, StepwisePass, Neurons}
        return super().offers_with(present) - {*watched, InputEmbeddings}

    def finish(self, module: Any, tokenizer: Any, *rest: Any) -> LoadedModel:
        """With token types, which its config does not count: they are relative in XLNet."""
        names = [name for name in tokenizer.model_input_names if name != "token_type_ids"]
        tokenizer.model_input_names = [*names, "token_type_ids"]
        return super().finish(module, tokenizer, *rest)

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """A predictor of its own."""
        ports = super().ports(model, present)
        if HEAD.name in present:
            predictor = PermutationPredictor(model)
            ports |= {Predictor: predictor, BidirectionalPredictor: predictor}
        return ports


FAMILY = XlnetFamily(
    id="xlnet",
    title="XLNet",
    model_types=("xlnet",),
    heads_known=(HEAD,),
    classes=(
        ClassChoice("XLNetModel", frozenset()),
        ClassChoice("XLNetLMHeadModel", frozenset({HEAD.name})),
    ),
    prefix="transformer",
    embedding="word_embedding.weight",
    optional=(),
    layers_key="n_layer",
    width_key="d_model",
    attention_heads_key="n_head",
    length_key="",  # positions are relative
    feed_forward_key="d_inner",
)


def tiny(folder: Path) -> None:
    """Write a tiny random checkpoint, for checking the plugin."""
    write_tiny(FAMILY, folder, config={"d_inner": 48, "d_head": 8})


def plain_logits(folder: Path, input_ids: list[int]) -> Any:
    """Transformers' own logits (tokens x vocabulary), with no mask token seen by anyone."""
    import torch
    from transformers import AutoTokenizer, XLNetLMHeadModel

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    module = XLNetLMHeadModel.from_pretrained(folder, local_files_only=True).eval()
    masked = [place for place, one in enumerate(input_ids) if one == tokenizer.mask_token_id]
    length = len(input_ids)
    types = [2 if one == tokenizer.cls_token_id else 0 for one in input_ids]
    with torch.inference_mode():
        answer = module(
            input_ids=torch.tensor([input_ids]),
            token_type_ids=torch.tensor([types]),
            perm_mask=hidden_from_all([masked], length),
            target_mapping=torch.eye(length)[None],
        )
    return answer.logits[0].float().numpy()
