"""What is measured of one judged sentence, on cards: the losses and the training signal."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from explorer.api.question import Amount, Amounts, Look, OneCard, Said
from explorer.questions.detection.replaced_tokens.question import DetectionLosses
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.numbers import decimal


def losses_card(found: DetectionLosses, weight: float, masked: int, tokens: int) -> OneCard:
    """MLM + lambda x RTD, term by term (Clark et al. 2020, section 2).

    Args:
        found: The two losses.
        weight: The lambda now.
        masked: Tokens the generator's loss is averaged over.
        tokens: Tokens the discriminator's is averaged over.
    """
    title = N_("Losses, in nats")
    rtd = weight * found.discriminator
    bars = _bars(title, (("MLM", found.generator), ("RTD", rtd)), partial(decimal, places=2))
    numbers = {
        "weight": f"{weight:g}",
        "loss": f"{found.discriminator:.3f}",
        "total": f"{found.at(weight):.2f}",
    }
    said = (
        Phrase(N_("{weight} × {loss} = total {total}"), **numbers)
        if found.generator is None
        else Phrase(
            N_("{generator} + {weight} × {loss} = total {total}"),
            generator=f"{found.generator:.3f}",
            **numbers,
        )
    )
    over = Phrase(
        N_("MLM {masked}, RTD {every}."),
        masked=Phrase(NN_("over {count} masked token", "over {count} masked tokens"), count=masked),
        every=Phrase(NN_("over {count} token", "over {count} tokens"), count=tokens),
    )
    source = N_("Clark et al. 2020: MLM + λ RTD, with λ = 50.")
    return OneCard(title, (bars, Said(said, words=source, near=True), Said(over, near=True)))


def signals_card(tokens: int, masked: int) -> OneCard:
    """How many tokens teach something under either objective."""
    said = (
        Phrase(
            N_(
                "Replaced-token detection learns from every token, masked LM from the masked "
                "ones: a factor of {times} here."
            ),
            times=f"{tokens / masked:.1f}",
        )
        if masked
        else N_(
            "Replaced-token detection learns from every token. No token is masked here, so a "
            "masked LM would learn nothing."
        )
    )
    title = N_("Training signal")
    learned = (("RTD", tokens), ("MLM", masked))
    of_all = N_("{count} of {all}")
    bars = _bars(title, learned, lambda count: Phrase(of_all, count=count, all=tokens).said)
    return OneCard(title, (bars, Said(said, near=True)))


def _bars(
    title: str, amounts: Sequence[tuple[str, float | None]], written: Callable[[Any], str]
) -> Amounts:
    """What both models have, each in its colour."""
    colours = {"MLM": "bar_original", "RTD": "bar"}
    bars = (
        Amount(name, verbatim(name), value, written=written, colour=colours[name])
        for name, value in amounts
    )
    return Amounts(tuple(bars), in_summary=False, look=Look.BARS, title=title)
