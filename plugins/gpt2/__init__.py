"""GPT-2 (Radford et al. 2019): the next token from everything before it."""

from explorer.hf.family.causal import NEXT_TOKEN, LeftFamily, next_token_head
from explorer.hf.family.specs import ClassChoice

FAMILY = LeftFamily(
    id="gpt2",
    title="GPT-2",
    model_types=("gpt2",),
    heads_known=(next_token_head("wte.weight"),),
    classes=(
        ClassChoice("GPT2Model", frozenset()),
        ClassChoice("GPT2LMHeadModel", frozenset({NEXT_TOKEN})),
    ),
    embedding="wte.weight",
    optional=(),
    # KoGPT-2's texts were separated by </s>.
    starts=("<|endoftext|>", "</s>"),
)
