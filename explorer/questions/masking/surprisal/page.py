"""Every token hidden in turn: how much each surprises the model, and the sentence as a whole."""

import math
from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document, Mask
from explorer.questions.masking.exact_answers.beside import exact_of, exact_said
from explorer.questions.masking.exact_answers.question import ExactAnswersResult
from explorer.questions.masking.surprisal.question import (
    FROM_LEFT,
    METHOD,
    OPERATION,
    UNIT,
    SurprisalResult,
    TokenSurprisal,
    method_said,
)
from explorer.questions.masking.surprisal.strip import StripBlock
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, _, said
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal, signed, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn, visible, word_or_piece
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Gesture, Page, Select
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import put_words
from explorer.ui.sentence import pieces as of

PER_NAT = {"nats": 1.0, "bits": 1.0 / math.log(2)}

HOW_TO_READ = N_(
    "A bar says how surprised the model was to find this token, which it could not see: minus the "
    "logarithm of the probability it gave the token. {none} {unit}: it was sure. {half}: it gave "
    "the token one chance in two. {tenth}: one in ten. {hundredth}: one in a hundred. An orange "
    "bar is a token in whose place it expected another one: the word in blue below."
)
PUT = N_("Click that word to put it into the sentence.")
PSEUDO = N_(
    "Why pseudo: a real log-likelihood would predict each token from what stands before it alone. "
    "This model looks at both sides, so every token was told all the others, and the sum is no "
    "probability of the sentence. It still says which of two sentences the model finds more "
    "natural: the one nearer to 0, if both are about as long and the model is the same."
)
LIKELIHOOD = N_(
    "The sum is the logarithm of the probability of this very text among all texts of its length. "
    "Longer texts are less probable, so compare texts by their perplexity."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The sentence in numbers, a bar under every token, how to read it."""
    result: SurprisalResult = shown.result
    unit = shown.value(UNIT)
    pinned: SurprisalResult | None = shown.before
    yield Text(verdict(result, tells_worst=shown.alone))
    yield Numbers(numbers_of(result, unit, pinned))
    yield _strip(shown, unit, pinned)
    yield from _exact(shown, unit)
    if pinned is not None:
        yield note(
            _("A line across a bar is where the pinned answer's bar ends.")
            if aligned(pinned, result)
            else _("The pinned answer has other tokens, so only the sums are compared."),
        )
    if result.note:
        yield warning(said(result.note))
    if shown.asked.masks:
        yield note(
            _("The masks of the sentence are lifted here: every token is hidden in its turn."),
        )
    yield note(how_to_read(unit), above=Space.APART, hint=_(PUT))
    yield note(method_said(result.method))
    yield note(_(PSEUDO) if result.is_pseudo else _(LIKELIHOOD))


def _strip(shown: Shown, unit: str, pinned: SurprisalResult | None) -> StripBlock:
    result: SurprisalResult = shown.result
    pieces = of.of_tokens(result.tokens, shown.asked)
    asked = {one.position: one for one in result.surprises}
    better = {
        at: drawn(one.predictions[0])
        for at, one in asked.items()
        if one.rank > 1 and one.predictions
    }
    words = {at: about_token(pieces[at].text, one, unit) for at, one in asked.items()}

    def act(what: str, position: int) -> Gesture:
        if what == "token":
            return Select(position)
        place, word = replacement(result, asked[position], shown.asked)
        return put_words(shown.asked, (place, word))

    before = aligned(pinned, result)
    return StripBlock(
        pieces, result.surprises, PER_NAT[unit], better, words, before, act, above=Space.SECTION
    )


def replacement(
    result: SurprisalResult, one: TokenSurprisal, document: Document
) -> tuple[Mask, str]:
    """Where the word goes that the model expected at a token, and with which space before it."""
    token, best = result.tokens[one.position], one.predictions[0]
    start, word = token.start, best.word
    text = document.part(token.part)
    if token.joined and best.glue != "before":
        word = f" {word}"
    elif not token.joined and best.glue == "before" and text[:start].endswith(" "):
        start -= 1
    return Mask(start, token.end, token.part), word


def aligned(pinned: SurprisalResult | None, result: SurprisalResult) -> dict[int, float]:
    """The pinned answer's surprises by position, where both have the same tokens."""
    if pinned is None or [t.text for t in pinned.tokens] != [t.text for t in result.tokens]:
        return {}
    return {one.position: one.nats for one in pinned.surprises}


def _exact(shown: Shown, unit: str) -> Iterator[Block]:
    """The exact surprisal below every token, and the sums of both."""
    result: SurprisalResult = shown.result
    found = exact_of(shown)
    yield from exact_said(shown)
    if not isinstance(found, ExactAnswersResult) or not found.places:
        return
    nats = {
        place.position: max(0.0, -math.log(place.original))
        for place in found.places
        if place.original is not None and place.original > 0.0
    }
    yield Tokens(
        result.tokens,
        shown.asked,
        {position: decimal(value * PER_NAT[unit], 2) for position, value in nats.items()},
    )
    both = [one for one in result.surprises if one.position in nats]
    exact = sum(nats[one.position] for one in both) * PER_NAT[unit]
    own = sum(one.nats for one in both) * PER_NAT[unit]
    yield note(
        _(
            "Below each token its exact surprisal in {unit}: {exact} together, where the model "
            "needs {own} for the same tokens.",
            unit=_(UNIT.entry(unit).title),
            exact=decimal(exact, 2),
            own=decimal(own, 2),
        )
    )


def numbers_of(
    result: SurprisalResult, unit: str, before: SurprisalResult | None
) -> tuple[Number, ...]:
    """The sentence in four numbers."""
    count = len(result.surprises)
    total = result.log_likelihood * PER_NAT[unit]
    each = -total / count
    disagrees = sum(one.rank > 1 for one in result.surprises)
    sum_said = _(
        "The logarithms of all these probabilities added up. 0 would be a sentence the model was "
        "sure of at every place."
    )
    among = _(
        "e to the power of the mean surprisal: at each place the model was as unsure as "
        "among {count} equally likely words. 1 would be no doubt at all.",
        count=_count(result.perplexity),
    )
    log_name = _("pseudo-log-likelihood") if result.is_pseudo else _("log-likelihood")
    perplexity_name = _("pseudo-perplexity") if result.is_pseudo else _("perplexity")
    numbers = [
        Number(in_unit(with_minus(total, 1), unit), log_name, sum_said),
        Number(_count(result.perplexity), perplexity_name, among),
        Number(in_unit(decimal(each, 2), unit), _("mean surprisal per token")),
        Number(
            _("{disagrees} of {count}", disagrees=disagrees, count=count),
            _("tokens where it expected another"),
            colour="mask" if disagrees else "text",
        ),
    ]
    if before is not None:
        change = (result.log_likelihood - before.log_likelihood) * PER_NAT[unit]
        numbers.append(
            Number(
                in_unit(signed(change, 1), unit),
                _("against the pinned answer"),
                _before(before, unit),
            )
        )
    return tuple(numbers)


def _before(before: SurprisalResult, unit: str) -> str:
    """What the pinned answer was, in both numbers."""
    places = {
        "sum": in_unit(with_minus(before.log_likelihood * PER_NAT[unit], 1), unit),
        "count": _count(before.perplexity),
    }
    if before.is_pseudo:
        return _("It was {sum}, with a pseudo-perplexity of {count}.", **places)
    return _("It was {sum}, with a perplexity of {count}.", **places)


def in_unit(number: str, unit: str) -> str:
    """A number that is written already, in the unit that is drawn."""
    if unit == "bits":
        return _("{bits} bits", bits=number)
    return _("{nats} nats", nats=number)


def _count(number: float) -> str:
    return f"{number:,.1f}" if number < 1000 else f"{number:,.0f}"


def verdict(result: SurprisalResult, *, tells_worst: bool) -> str:
    """One sentence that needs no term.

    Args:
        result: The answer.
        tells_worst: Tell the token that surprised most too, which the window does by itself.
    """
    mean = -result.log_likelihood / len(result.surprises)
    worst = max(result.surprises, key=lambda one: one.nats)
    chances = _chances(math.exp(-mean))
    said = (
        _(
            "Every token was hidden from the model in turn. On average it gave the right one "
            "{chances}.",
            chances=chances,
        )
        if result.is_pseudo
        else _(
            "Every token was guessed from the words before it in turn. On average it gave the "
            "right one {chances}.",
            chances=chances,
        )
    )
    if tells_worst and worst.rank > 1:
        text = visible(result.tokens[worst.position].text)
        worst_word = text.removeprefix("##").lstrip("Ġ▁")
        most = _("What surprised it most is “{word}”.", word=worst_word)
        return f"{said} {most}"
    return said


def _chances(share: float) -> str:
    if share > 0.995:
        return _("nearly all of the probability")
    if share >= 0.1:
        return _("a probability of {share} %", share=decimal(share * 100, 0))
    return _("one chance in {count}", count=round(1 / share))


def how_to_read(unit: str) -> str:
    """What bars mean, in the unit that is drawn."""
    return _(
        HOW_TO_READ,
        none="0",
        unit=_(UNIT.entry(unit).title),
        half=decimal(math.log(2) * PER_NAT[unit], 1),
        tenth=decimal(math.log(10) * PER_NAT[unit], 1),
        hundredth=decimal(math.log(100) * PER_NAT[unit], 1),
    )


def about_token(text: str, one: TokenSurprisal, unit: str) -> str:
    """A token's tooltip."""
    shown = ", ".join(
        f"{isolated(word_or_piece(best))} {in_digits(best.probability)}" for best in one.predictions
    )
    nats, bits = max(0.0, one.nats), max(0.0, one.bits)
    both = (_("{nats} nats", nats=decimal(nats, 2)), _("{bits} bits", bits=decimal(bits, 2)))
    first, second = both if unit == "nats" else both[::-1]
    return _(
        "“{text}” had a probability of {in_digits}, as number {rank} of the vocabulary: "
        "a surprisal of {first} ({second}).\nExpected: {shown}.",
        text=text,
        in_digits=in_digits(math.exp(one.log_probability)),
        rank=one.rank,
        first=first,
        second=second,
        shown=shown,
    )


def waits(document: Document, card: ModelCard, _shown: Shown | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    return takes_long(card, tokens * tokens)


def disabled(_now: Document, result: SurprisalResult) -> Mapping[str, str]:
    """A model that reads from the left has one method."""
    return {} if result.is_pseudo else {METHOD.key: _(FROM_LEFT)}


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    waits=waits,
    waiting_hint=(
        N_(
            "Every token of the sentence is hidden in turn, which takes this model a while. Press "
            "Run to see how much each of them surprises it."
        )
    ),
    disabled=disabled,
)
