"""GPT-1 (Radford et al. 2018): the next token from everything before it."""

from dataclasses import replace

from explorer.hf import (
    DOUBLE_HEADS,
    GPT_ATTENTION,
    LAST_TOKEN_CLASSES,
    NEXT_TOKEN,
    ClassChoice,
    LeftFamily,
    next_token_head,
)

FAMILY = LeftFamily(
    id="gpt1",
    title="GPT-1",
    model_types=("openai-gpt",),
    heads_known=(next_token_head("tokens_embed.weight"), LAST_TOKEN_CLASSES, DOUBLE_HEADS),
    classes=(
        ClassChoice("OpenAIGPTModel", frozenset()),
        ClassChoice("OpenAIGPTLMHeadModel", frozenset({NEXT_TOKEN})),
    ),
    embedding="tokens_embed.weight",
    optional=("position_ids",),
    attention=replace(
        GPT_ATTENTION,
        # Its class has a switch for the scale.
        scale=lambda module, width: float(width**-0.5) if module.scale else 1.0,
    ),
    norm_first=False,
    goes_on=False,  # its class keeps no keys and values
    # Its class has none: the networks are four times as wide as the layers.
    feed_forward_key="",
)
