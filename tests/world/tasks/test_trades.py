"""Which trade a text of the smallest world is about, beside the derivation that wrote it."""

import itertools
import random

from explorer.world.grammar import DerivationNode
from explorer.world.small.corpus import documents
from explorer.world.small.grammar import smallest_world
from explorer.world.tasks.films import task_texts
from explorer.world.tasks.trades import LABELS, trade, trades_of


def told_by(node):
    """The trade that a derivation is of: the argument of the rule that tells a story."""
    if isinstance(node, DerivationNode):
        if node.symbol.name == "story":
            return node.symbol.args[0]
        return next((found for one in node.children if (found := told_by(one))), None)
    return None


def test_the_words_of_a_text_never_deny_the_trade_that_it_was_written_of():
    told = list(itertools.islice(iter(documents(3, 2000)), 2000))
    found = [(trades_of(one.words), LABELS[told_by(one.node)]) for one in told]
    assert all(label in labels for labels, label in found)
    # Some texts are of two trades, and are not drawn; most are of one.
    share = sum(len(labels) > 1 for labels, _ in found) / len(found)
    assert 0 < share < 0.1


def test_a_text_is_drawn_with_the_trade_that_wrote_it():
    drawn = list(itertools.islice(task_texts(trade, 5), 300))
    assert {one.label for one in drawn} == set(LABELS.values())
    again, world = random.Random(5), smallest_world()
    for one in drawn:
        while len(trades_of(tuple((node := world.sample(again)).words()))) > 1:
            pass
        assert one.label == LABELS[told_by(node)]
    # Who acts says nothing: there are chefs who paint, and people without any trade.
    assert trades_of(("the", "chef", "painted", "the", "picture", ".")) == ("painting",)
    assert trades_of(("jack", "sold", "the", "flowers", ".")) == ("gardening", "painting")
