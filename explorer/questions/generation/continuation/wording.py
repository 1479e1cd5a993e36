"""What is said of a text that a model went on with."""

from explorer.questions.generation.continuation.question import (
    ContinuationResult,
    Cut,
    WrittenToken,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal, percent, significant, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

GIBBS = N_(
    "Gibbs sampling from a masked model, not the continuation of a language model: each token was "
    "drawn several times, given all others (Wang and Cho 2019)."
)
ABOUT = N_(
    "Each new token is coloured by its surprisal, −ln p in nats, given all that stands before it."
)
CHOSEN_FROM = N_("Choose one to see what it was chosen from.")
ABOUT_GIBBS = N_(
    "Each token is coloured by its surprisal, −ln p in nats, given all others when it was drawn "
    "last."
)
DRAWN_FROM = N_("Choose one to see what it was drawn from.")
APART = N_("The decoder writes a text of its own, in answer to what the encoder read.")
NAMES = {
    "barred": N_("no text"),
    "rules": N_("the generation config"),
    "temperature": N_("temperature"),
    "top_k": N_("top-k"),
    "top_p": N_("top-p"),
    "min_p": N_("min-p"),
    "typical_p": N_("typical"),
}
"""What cuts are called."""


def shown_text(token: WrittenToken) -> str:
    """A new token as it is drawn."""
    return visible(token.text) if token.text else visible(token.token)


def about_token(token: WrittenToken, step: int) -> str:
    """A new token's tooltip."""
    said = [
        _(
            "Step {step}: “{token}” {share}, rank {rank}",
            step=step + 1,
            token=shown_text(token),
            share=in_digits(token.probability),
            rank=token.rank,
        ),
        _("Surprisal {nats} nats", nats=significant(token.surprisal, 3)),
    ]
    if token.taken:
        said.append(_("You chose it."))
    if token.ends:
        said.append(_("It ends the text."))
    if token.drawn > 1:
        said.append(_("{count} different tokens stood here in turn.", count=token.drawn))
    return "\n".join(said)


def cuts_said(token: WrittenToken) -> str:
    """What each cut did at a step, in order."""
    said = [cut_said(one) for one in token.cuts if one.name not in ("temperature", "barred")]
    left = ngettext("{count} token is left.", "{count} tokens are left.", token.left)
    return " ".join([*said, left]) if said else ""


def capitalised(name: str) -> str:
    """A name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def cut_said(one: Cut) -> str:
    """What a cut did."""
    return ngettext(
        "{name} cut {count} token ({share}).",
        "{name} cut {count} tokens ({share}).",
        one.tokens,
        name=capitalised(_(NAMES[one.name])),
        share=percent(one.probability, 1),
    )


def numbers_said(result: ContinuationResult) -> list[tuple[str, str, str]]:
    """Values, their names, and what they mean."""
    mean = result.mean_surprisal
    said = [(str(len(result.tokens)), _("new tokens"), "")]
    if mean is not None:
        said += [
            (
                _("{value} nats", value=decimal(mean, 2)),
                _("mean surprisal"),
                _("The mean of −ln p over the new tokens, by the model itself."),
            )
        ]
    if mean is not None and not result.gibbs:
        total = sum(one.surprisal for one in result.tokens)
        said.append(
            (
                _("{value} nats", value=with_minus(-total, 2)),
                _("log-probability"),
                _("The sum of ln p over the new tokens."),
            )
        )
    return said
