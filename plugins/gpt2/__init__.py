"""GPT-2 (Radford et al. 2019): the next token from everything before it."""

from dataclasses import replace

from explorer.hf import (
    ANSWER_SPANS,
    DOUBLE_HEADS,
    GPT_ATTENTION,
    LAST_TOKEN_CLASSES,
    NEXT_TOKEN,
    TOKEN_CLASSES,
    ClassChoice,
    LeftFamily,
    next_token_head,
)

FAMILY = LeftFamily(
    id="gpt2",
    title="GPT-2",
    model_types=("gpt2",),
    heads_known=(
        next_token_head("wte.weight"),
        LAST_TOKEN_CLASSES,
        DOUBLE_HEADS,
        TOKEN_CLASSES,
        ANSWER_SPANS,
    ),
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
