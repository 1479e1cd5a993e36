"""GPT-3 (Brown et al. 2020): its weights were never published, only its architecture is known."""

from explorer.hf.family import ClassChoice
from explorer.hf.left_family import NEXT_TOKEN, LeftFamily, next_token_head

FAMILY = LeftFamily(
    id="gpt3",
    title="GPT-3",
    model_types=("gpt3",),
    heads_known=(next_token_head("wte.weight"),),
    classes=(
        ClassChoice("GPT2Model", frozenset()),
        ClassChoice("GPT2LMHeadModel", frozenset({NEXT_TOKEN})),
    ),
    embedding="wte.weight",
    optional=(),
    starts=("<|endoftext|>",),
    cached=True,
)
