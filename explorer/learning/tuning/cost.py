"""What fine-tuning will take, told before it begins: tokens, multiply-adds, memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from explorer.learning.plan.cost import BACKWARDS, PlanCost
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.judged import AT_ONCE
from explorer.learning.tuning.measured_step import frames_of
from explorer.learning.tuning.models import files_of, numbers_in, tokenizer_of
from explorer.learning.tuning.plan import TuningPlan
from explorer.text import NN_, Phrase

if TYPE_CHECKING:
    from explorer.api.family import Files

PIECES_A_WORD: Final = 1.3
"""On average, in texts like those that a vocabulary was made of."""
SPECIAL: Final = 2
HEADS: Final = ("num_attention_heads", "num_heads", "n_head", "n_heads")
FLOAT: Final = 4
SHARED: Final = "albert_layer_groups."
"""In the names of weights that several layers share."""
LIBRARIES: Final = 60_000_000
"""Bytes that torch and transformers take when they first train."""
SEVERAL: Final = 2
"""Words or marks that a token of a whole text is on average, at the very most."""
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
    files = files_of(plan.model_folder)
    tokens = plan.epochs * _tokens(plan, texts, texts.first(plan.examples, plan.seed))
    layers = max(1, _LayerSizes.of(files.config).layers)
    share = {
        Tuned.ALL: BACKWARDS,
        Tuned.LORA: 2,
        Tuned.LAST: 1 + (BACKWARDS - 1) / layers,
        Tuned.FEATURES: 1,
    }[plan.tuned]
    work = _multiplied(files, plan) * tokens * share
    return PlanCost(numbers_in(files), tokens, work, False)


def judging_cost(plan: TuningPlan, texts: LabelledTexts) -> PlanCost:
    """What it takes to judge all that is held out at every frame.

    Args:
        plan: What is planned.
        texts: Its own.
    """
    files = files_of(plan.model_folder)
    tokens = frames_of(plan) * _tokens(plan, texts, texts.held_out)
    return PlanCost(numbers_in(files), tokens, _multiplied(files, plan) * tokens, False)


def _tokens(plan: TuningPlan, texts: LabelledTexts, chosen: Sequence[Any]) -> float:
    """That are read of some examples, once."""
    most = _rows_of(texts) * plan.length
    return sum(min(most, PIECES_A_WORD * texts.words[id(one)] + SPECIAL) for one in chosen)


def _multiplied(files: Files, plan: TuningPlan) -> float:
    """Multiply-adds of a token forwards: one for each weight, as often as layers share it."""
    layers = _LayerSizes.of(files.config).layers
    again = layers / (files.config.get("num_hidden_groups") or layers or 1)
    each = (
        math.prod(one.shape) * (again if SHARED in name else 1)
        for name, one in files.tensors.items()
        if not _TABLES.search(name)
    )
    return sum(each) * _READ[plan.layer]


def memory_of(plan: TuningPlan, texts: LabelledTexts) -> int:
    """Bytes that training takes, about, besides what the program takes before.

    They are those of the weights, of gradients and Adam's two means of what is trained, of states,
    and what libraries keep for themselves once they are at work. States are kept until gradients
    are known: of a token in a layer some twenty vectors as wide as the model, four as wide as its
    feed-forward part, and two weights of attention for each token that it looks at, of LoRA nine
    tenths of that; where the head alone is trained, those of a layer while texts are judged. What
    is told was measured to be within 20 % of what BERTs of the published sizes of base and of
    TinyBERT took on a CPU, whatever was trained (batches of 8 and 16, texts of 128 tokens).

    Args:
        plan: What is planned.
        texts: Its own.
    """
    files = files_of(plan.model_folder)
    sizes = _LayerSizes.of(files.config)
    weights = numbers_in(files)
    layer = 5 * sizes.width**2 + 2 * sizes.width * sizes.inner
    trained = {
        Tuned.ALL: weights,
        Tuned.LAST: layer,
        Tuned.LORA: 4 * plan.rank * sizes.width * sizes.layers,
        Tuned.FEATURES: 0,
    }[plan.tuned]
    rows = _rows_of(texts)
    length = min(plan.length, _longest(texts))
    kept = plan.batch * rows * length * sizes.of_token(length) * _layers_kept(plan, sizes.layers)
    judged = AT_ONCE * rows * length * (2 * sizes.width + sizes.inner)
    return LIBRARIES + FLOAT * (weights + 3 * trained + max(round(kept), judged))


def _layers_kept(plan: TuningPlan, layers: int) -> float:
    if plan.tuned is Tuned.FEATURES:
        return 0.0
    read = 1 if plan.tuned is Tuned.LAST else math.ceil(layers * _READ[plan.layer])
    return read * (0.9 if plan.tuned is Tuned.LORA else 1.0)


@dataclass(frozen=True, slots=True)
class _LayerSizes:
    """Of a model, as its config has them."""

    width: int
    inner: int
    heads: int
    layers: int

    @staticmethod
    def of(config: Mapping[str, Any]) -> _LayerSizes:
        def size(*names: str) -> int:
            return next((int(config[name]) for name in names if config.get(name)), 0)

        width = size("hidden_size", "d_model", "n_embd", "dim", "emb_dim")
        inner = size("intermediate_size", "d_ff", "n_inner", "hidden_dim") or 4 * width
        layers = size("num_hidden_layers", "num_layers", "n_layer", "n_layers")
        return _LayerSizes(width, inner, size(*HEADS), layers)

    def of_token(self, length: int) -> int:
        """Numbers that a layer keeps of a token, in a text of so many."""
        return 20 * self.width + 4 * self.inner + 2 * self.heads * length


def _rows_of(texts: LabelledTexts) -> int:
    """How many sequences an example is: one for each of its choices."""
    every = (*texts.training, *texts.held_out)
    return max((len(getattr(one, "choices", "1")) for one in every), default=1)


def _longest(texts: LabelledTexts) -> int:
    """Tokens of the longest sequence, about."""
    every = (*texts.training, *texts.held_out)
    words = (texts.words[id(one)] / len(getattr(one, "choices", "1")) for one in every)
    return math.ceil(PIECES_A_WORD * max(words, default=1)) + SPECIAL


def said_of_length(plan: TuningPlan, texts: LabelledTexts) -> Iterator[Phrase]:
    """How many of the examples that are learnt from are longer than what is read of them.

    Args:
        plan: What is planned.
        texts: Its own.
    """
    from explorer.learning.tuning.batches import count_cut

    tokenizer = tokenizer_of(files_of(plan.model_folder))
    length = int(min(plan.length, tokenizer.model_max_length))
    # No token is shorter than a character, and few are several words or marks.
    chosen = [
        one for one in texts.first(plan.examples, plan.seed) if sum(map(len, one.read)) > length
    ]
    surely = SEVERAL * length * _rows_of(texts)
    unsure = [one for one in chosen if texts.words[id(one)] <= surely]
    cut = len(chosen) - len(unsure)
    cut += count_cut(texts.form, tokenizer, unsure, length) if unsure else 0
    if cut:
        yield Phrase(
            NN_("{count} text is longer than {length} tokens: the rest of it is not read.",
                "{count} texts are longer than {length} tokens: the rest of each is not read."),
            count=cut,
            length=length,
        )  # fmt: skip
