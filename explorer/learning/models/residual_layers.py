"""How large the weights begin that end a branch beside a residual connection.

Radford et al. 2019 (GPT-2), section 2.3: at initialisation they are scaled by 1 / sqrt(N), N being
the number of residual layers, because the sum over a deep stack grows with them.
"""

from __future__ import annotations

from typing import Any, Final

ENDS: Final = (
    "output.dense.weight",  # BERT, ELECTRA: after attention, and after feed-forward
    "attention.dense.weight",  # ALBERT
    "ffn_output.weight",
    "c_proj.weight",  # GPT-1, GPT-2
    "SelfAttention.o.weight",  # T5
    "EncDecAttention.o.weight",
    "DenseReluDense.wo.weight",
)
"""What the names of these weights end in."""


def scale_residual_layers(model: Any, depth: int, *, scaled: bool) -> None:
    """Give a fresh model's residual layers the size that a plan says.

    Args:
        model: changed; transformers scales GPT-2's by itself, and no other's.
        depth: layers of a stack. A decoder beside an encoder has three residual ones a layer, all
            others have two.
        scaled: whether they begin smaller the more of them there are.
    """
    import torch

    has = model.config.model_type == "gpt2"
    if has == scaled:
        return
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith(ENDS):
                number = depth * (3 if name.startswith("decoder.") else 2)
                weight.mul_(number ** (-0.5 if scaled else 0.5))
