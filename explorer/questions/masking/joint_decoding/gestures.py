"""What a click does: put a mask next in the order, put a filling into the sentence."""

from dataclasses import replace

from explorer.document import Document, Mask
from explorer.questions.masking.joint_decoding.question import (
    METHOD,
    Filling,
    JointDecodingRequest,
    JointDecodingResult,
    Method,
)
from explorer.text import _
from explorer.ui.blocks.shown import Shown
from explorer.ui.document.gestures import Edit, Where, put_words


def put_next(shown: Shown, mask: int) -> Edit:
    """Put a mask next in the order by hand; all in order, begin again with it."""
    count = len(shown.result.order)

    def change(now: Document, _where: Where) -> Document:
        # The order of now: several masks may be clicked before an answer comes.
        asked = JointDecodingRequest.of(now)
        order = asked.order if asked.method is Method.BY_HAND else ()
        known = [one for one in order if one < count and one != mask]
        complete = len(known) + (mask in order) >= count
        after = [mask] if complete else [*known, mask]
        by_hand = now.with_option(METHOD.key, Method.BY_HAND.value)
        return by_hand.with_option("joint_decoding.order", after)

    return Edit(_("fill mask {mask} next", mask=mask + 1), shown.asked, change)


def put_filling(shown: Shown, filling: Filling) -> Edit:
    """Put a filling into the sentence."""
    result: JointDecodingResult = shown.result
    puts = []
    for gap, place, words in zip(result.gaps, gap_places(result), filling.words, strict=True):
        glued = filling.chosen[gap[0]].glue == "before"
        if glued and shown.asked.part(place.part)[: place.start].endswith(" "):
            puts.append((replace(place, start=place.start - 1), words))
        else:
            puts.append((place, words))
    return put_words(shown.asked, *puts)


def gap_places(result: JointDecodingResult) -> tuple[Mask, ...]:
    """The characters under every gap."""
    at = [[result.tokens[result.positions[mask]] for mask in gap] for gap in result.gaps]
    return tuple(Mask(gap[0].start, gap[-1].end, gap[0].part) for gap in at)
