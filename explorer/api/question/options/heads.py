"""How a head of a model is chosen, wherever one is: from one list, by its layer and its number.

A question about one head has the two options of `layer_and_head`, one whose heads may also be made
one has a `HeadChoice`; both are the same list in the bar, with the same words and keys.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question.options.options import Choice, Whole
from explorer.text import N_, Phrase

MOST = 999
"""Layers and heads that can be typed; a model has fewer."""
_READ = re.compile(r"\d+\.(\d+|mean|max)|mean|max|rollout(\.\d+)?")


def head_said(layer: int | str, head: int | str) -> Phrase:
    """What a head is called, everywhere.

    Args:
        layer: From 0.
        head: In it, from 0.
    """
    return Phrase(N_("Layer {layer}, head {head}"), layer=str(layer), head=str(head))


def layer_and_head(question: str) -> tuple[Whole, Whole]:
    """The options of a question that choose a head, which stand in the bar as one list.

    Args:
        question: Whose; its keys are "<question>.layer" and "<question>.head".
    """
    layer = Whole(N_("Layer"), 0, N_("Layer, counted from 0"), high=MOST, key=f"{question}.layer")
    head = Whole(N_("Head"), 0, N_("Head, counted from 0"), high=MOST, key=f"{question}.head")
    return replace(layer, counts="layers"), replace(head, counts="heads")


@dataclass(frozen=True)
class HeadChoice(Choice):
    """A head as "3.5", or how several are made one as "3.mean"; the answer says which there are."""

    def accepts(self, value: Any) -> bool:
        """Whether it can be read."""
        return isinstance(value, str) and _READ.fullmatch(value) is not None

    def values(self) -> str:
        """What can be read."""
        return Phrase(
            N_("a layer and a head as in 3.5, 3.mean or 3.max; mean, max, rollout or rollout.3")
        )

    def said(self, value: str) -> str:
        """As it is typed: 3.5."""
        return value
