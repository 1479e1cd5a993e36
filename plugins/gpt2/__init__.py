"""GPT-2 (Radford et al. 2019): the next token from everything before it."""

from dataclasses import replace

from explorer.hf.attention.layout import GPT_ATTENTION
from explorer.hf.family.causal import (
    DOUBLE_HEADS,
    LAST_TOKEN,
    NEXT_TOKEN,
    LeftFamily,
    next_token_head,
)
from explorer.hf.family.specs import ClassChoice
from explorer.hf.family.task_heads import ANSWERS, TOKENS

FAMILY = LeftFamily(
    id="gpt2",
    title="GPT-2",
    model_types=("gpt2",),
    heads_known=(next_token_head("wte.weight"), LAST_TOKEN, DOUBLE_HEADS, TOKENS, ANSWERS),
    classes=(
        ClassChoice("GPT2Model", frozenset()),
        ClassChoice("GPT2LMHeadModel", frozenset({NEXT_TOKEN})),
    ),
    embedding="wte.weight",
    optional=(),
    # Some configs divide by the layer's number too.
    attention=replace(GPT_ATTENTION, scale=lambda module, _width: float(module.scaling)),
    # KoGPT-2's texts were separated by </s>.
    starts=("<|endoftext|>", "</s>"),
)
