"""The sentence in numbers, a bar below every token, and how to read it."""

import math
from collections.abc import Iterator

from explorer.api.question import Amount, Amounts, Loss, Losses, Manner, Said
from explorer.questions.masking.hiding import method_said
from explorer.questions.masking.surprisal.question import SurprisalResult
from explorer.questions.masking.surprises import PER_NAT, UNIT, TokenSurprisal
from explorer.text import N_, Phrase
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import readable, word_or_piece

LEAST_TOP = 3.0
"""Nats at the end of the longest bar, at least: a sentence without surprises looks calm."""
HOW_TO_READ = N_(
    "A bar is the token's surprisal: minus the logarithm of the probability that "
    "the model gave it without seeing it. {none} {unit}: certain. {half}: one "
    "chance in two. {tenth}: one in ten. {hundredth}: one in a hundred. Orange: "
    "the model expected another token, the word in blue below."
)
PUT = N_("Click a blue word to put it into the sentence.")
PSEUDO = N_(
    "Why pseudo: a real log-likelihood predicts each token from what comes before"
    " it alone. This model predicts each from all others, so the sum is no "
    "probability of the sentence. It still says which of two sentences of similar"
    " length the model finds more natural: the one nearer to 0."
)
LIKELIHOOD = N_(
    "The sum is the logarithm of the probability of this very text among all texts of its length. "
    "Longer texts are less probable, so compare texts by their perplexity."
)


def parts(result: SurprisalResult, unit: str = "nats") -> Iterator[Said | Amounts | Losses]:
    """The sentence in numbers, a bar below every token, and how to read it.

    Args:
        result: The answer.
        unit: "nats" or "bits".
    """
    worst = max(result.surprises, key=lambda one: one.nats)
    yield Said(verdict(result), Manner.PLAIN)
    if worst.rank > 1:
        word = readable(result.tokens[worst.position].text)
        most = Phrase(N_("What surprised it most is “{word}”."), word=word)
        yield Said(most, Manner.PAPER, near=True)
    yield Amounts(tuple(amounts(result, unit)), in_summary=False)
    losses = (
        Loss(
            one.position,
            max(0.0, one.nats) * PER_NAT[unit],
            next(iter(one.predictions), None),
            one.rank,
            about_token(readable(result.tokens[one.position].text), one, unit),
        )
        for one in result.surprises
    )
    least = LEAST_TOP * PER_NAT[unit]
    yield Losses(result.tokens, tuple(losses), digits=1, least=least, puts=True)
    yield Said(result.note, Manner.WARNING)
    yield Said(how_to_read(unit), Manner.ABOUT)
    yield Said(PUT, Manner.HINT, near=True)
    yield Said(method_said(result.method), Manner.ABOUT, near=True)
    yield Said(PSEUDO if result.is_pseudo else LIKELIHOOD, Manner.ABOUT, near=True)


def amounts(result: SurprisalResult, unit: str) -> Iterator[Amount]:
    """The sentence in four numbers."""
    count = len(result.surprises)
    disagrees = sum(one.rank > 1 for one in result.surprises)
    yield Amount(
        "log_likelihood",
        N_("pseudo-log-likelihood") if result.is_pseudo else N_("log-likelihood"),
        result.log_likelihood * PER_NAT[unit],
        UNIT.entry(unit).title,
        1,
        N_(
            "The logarithms of all these probabilities added up. 0 would be a sentence the model "
            "was sure of at every place."
        ),
    )
    yield Amount(
        "perplexity",
        N_("pseudo-perplexity") if result.is_pseudo else N_("perplexity"),
        result.perplexity,
        words=Phrase(
            N_(
                "e to the power of the mean surprisal: at each place the model was as unsure as "
                "among {count} equally likely words. 1 would be no doubt at all."
            ),
            count=among(result.perplexity),
        ),
        written=among,
    )
    mean = -result.log_likelihood / count * PER_NAT[unit]
    title = N_("mean surprisal per token")
    yield Amount("mean", title, mean, UNIT.entry(unit).title, 2)
    of = Phrase(N_("{disagrees} of {count}"), disagrees=disagrees, count=count)
    yield Amount(
        "disagrees",
        N_("tokens where it expected another"),
        disagrees,
        written=lambda _count: of.said,
        colour="mask" if disagrees else "text",
    )


def among(number: float) -> str:
    """Of how many words, as people read it."""
    return f"{number:,.1f}" if number < 1000 else f"{number:,.0f}"


def verdict(result: SurprisalResult) -> Phrase:
    """One sentence that needs no term."""
    share = math.exp(result.log_likelihood / len(result.surprises))
    if share > 0.995:
        chances = Phrase(N_("nearly all of the probability"))
    elif share >= 0.1:
        chances = Phrase(N_("a probability of {share} %"), share=decimal(share * 100, 0))
    else:
        chances = Phrase(N_("one chance in {count}"), count=round(1 / share))
    said = (
        N_(
            "Every token was hidden from the model in turn. On average it gave the right one "
            "{chances}."
        )
        if result.is_pseudo
        else N_(
            "Every token was guessed from the words before it in turn. On average it gave the "
            "right one {chances}."
        )
    )
    return Phrase(said, chances=chances)


def how_to_read(unit: str) -> Phrase:
    """What bars mean, in the unit that is drawn."""
    return Phrase(
        HOW_TO_READ,
        none="0",
        unit=Phrase(UNIT.entry(unit).title),
        half=decimal(math.log(2) * PER_NAT[unit], 1),
        tenth=decimal(math.log(10) * PER_NAT[unit], 1),
        hundredth=decimal(math.log(100) * PER_NAT[unit], 1),
    )


def about_token(text: str, one: TokenSurprisal, unit: str) -> Phrase:
    """A token's tooltip."""
    shown = ", ".join(
        f"{isolated(word_or_piece(best))} {in_digits(best.probability)}" for best in one.predictions
    )
    both = (
        Phrase(N_("{nats} nats"), nats=decimal(max(0.0, one.nats), 2)),
        Phrase(N_("{bits} bits"), bits=decimal(max(0.0, one.bits), 2)),
    )
    first, second = both if unit == "nats" else both[::-1]
    return Phrase(
        N_(
            "“{text}” had a probability of {in_digits}, as number {rank} of the vocabulary: "
            "a surprisal of {first} ({second}).\nExpected: {shown}."
        ),
        text=text,
        in_digits=in_digits(math.exp(one.log_probability)),
        rank=one.rank,
        first=first,
        second=second,
        shown=shown,
    )
