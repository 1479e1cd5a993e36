"""What fine-tuning will take, told before it begins: tokens, multiply-adds, memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from explorer.learning.plan.cost import BACKWARDS, PlanCost
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.models import files_of, numbers_in, tokenizer_of
from explorer.learning.tuning.plan import TuningPlan
from explorer.text import NN_, Phrase

PIECES_A_WORD: Final = 1.3
"""On average, in texts like those that a vocabulary was made of."""
SPECIAL: Final = 2
HEADS: Final = ("num_attention_heads", "num_heads", "n_head", "n_heads")
FLOAT: Final = 4
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_TABLES: Final = re.compile(r"embed|wte|wpe|shared\.weight|tokens_embed", re.IGNORECASE)
"""Tensors that are looked up and not multiplied."""
_READ: Final = {ReadLayer.FIRST: 0.3, ReadLayer.MIDDLE: 0.6, ReadLayer.LAST: 1.0}
"""About which share of the layers is there."""


def tuning_cost(plan: TuningPlan, texts: LabelledTexts) -> PlanCost:
    """Counted from the checkpoint's headers and the words of its texts, about.

    Args:
        plan: What is planned.
        texts: Its own.
    """
    chosen = texts.first(plan.examples, plan.seed)
    words = (len(_WORD.findall(" ".join(one.read))) for one in chosen)
    often = max((len(getattr(one, "choices", "1")) for one in chosen), default=1)
    most = often * plan.length
    tokens = plan.epochs * sum(min(most, PIECES_A_WORD * n + SPECIAL) for n in words)
    files = files_of(plan.model_folder)
    multiplied = sum(
        math.prod(one.shape) for name, one in files.tensors.items() if not _TABLES.search(name)
    )
    share = BACKWARDS if plan.tuned is Tuned.ALL else 1 + (plan.tuned is not Tuned.FEATURES)
    work = multiplied * tokens * share * _READ[plan.layer]
    return PlanCost(numbers_in(files), tokens, work, False)


def memory_of(plan: TuningPlan) -> int:
    """Bytes of weights, gradients, Adam's two means of what is trained, and states, about.

    States are kept until gradients are known. What they and their own gradients take was measured
    of BERTs 256 and 512 wide, with texts of 128 and 256 tokens, to about 5 %: of a token in a layer
    some twenty vectors as wide as the model, four as wide as its feed-forward part, and two weights
    of attention for each token that it looks at. Where the head alone is trained none is kept.
    """
    files = files_of(plan.model_folder)
    weights = numbers_in(files)
    trained = weights if plan.tuned is Tuned.ALL else weights // 20
    return FLOAT * (weights + 3 * trained + _states(plan, files.config))


def _states(plan: TuningPlan, config: Mapping[str, Any]) -> int:
    """Numbers in the states of a batch of the longest texts."""
    if plan.tuned is Tuned.FEATURES:
        return 0

    def size(*names: str) -> int:
        return next((int(config[name]) for name in names if config.get(name)), 0)

    width, heads = size("hidden_size", "d_model", "n_embd", "dim", "emb_dim"), size(*HEADS)
    inner = size("intermediate_size", "d_ff", "n_inner", "hidden_dim") or 4 * width
    layers = size("num_hidden_layers", "num_layers", "n_layer", "n_layers")
    read = 1 if plan.tuned is Tuned.LAST else math.ceil(layers * _READ[plan.layer])
    return plan.batch * plan.length * read * (20 * width + 4 * inner + 2 * heads * plan.length)


def said_of_length(plan: TuningPlan, texts: LabelledTexts) -> Iterator[Phrase]:
    """How many of the examples that are learnt from are longer than what is read of them.

    Args:
        plan: What is planned.
        texts: Its own.
    """
    from explorer.learning.tuning.batches import count_cut

    tokenizer = tokenizer_of(files_of(plan.model_folder))
    length = int(min(plan.length, tokenizer.model_max_length))
    # No token is shorter than a character.
    chosen = [
        one for one in texts.first(plan.examples, plan.seed) if sum(map(len, one.read)) > length
    ]
    cut = count_cut(texts.form, tokenizer, chosen, length) if chosen else 0
    if cut:
        yield Phrase(
            NN_("{count} text is longer than {length} tokens: the rest of it is not read.",
                "{count} texts are longer than {length} tokens: the rest of each is not read."),
            count=cut,
            length=length,
        )  # fmt: skip
