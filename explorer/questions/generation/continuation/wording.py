"""What is said of a text that a model went on with."""

from explorer.questions.generation.continuation.question import Cut, WrittenToken
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import percent, significant
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

GIBBS = N_(
    "Gibbs sampling from a masked model, not the continuation of a language model: each token was "
    "drawn several times, given all others (Wang and Cho 2019)."
)
ABOUT = N_(
    "Each new token is coloured by its surprisal, −ln p in nats, given all that comes before it."
)
CHOSEN_FROM = N_("Choose one to see what it was chosen from.")
ABOUT_GIBBS = N_(
    "Each token is coloured by its surprisal, −ln p in nats, given all others when it was drawn "
    "last."
)
DRAWN_FROM = N_("Choose one to see what it was drawn from.")
APART = N_("The decoder writes a text of its own, in answer to what the encoder read.")
FIRST = {
    "rules": N_("The generation config"),
    "top_k": N_("Top-k"),
    "top_p": N_("Top-p"),
    "min_p": N_("Min-p"),
    "typical_p": N_("Typical"),
}
"""What those that leave an edge are called at the beginning of a sentence."""


def shown_text(token: WrittenToken) -> str:
    """A new token as it is drawn."""
    return visible(token.text) if token.text else visible(token.token)


def about_token(token: WrittenToken, step: int) -> Phrase:
    """A new token's tooltip."""
    code = N_("Step {step}: “{token}” {share}, rank {rank}\nSurprisal {nats} nats")
    values = {
        "step": step + 1,
        "token": shown_text(token),
        "share": in_digits(token.probability),
        "rank": token.rank,
        "nats": significant(token.surprisal, 3),
    }
    said = [Phrase(code, **values)]
    if token.taken:
        said.append(Phrase(N_("You chose it.")))
    if token.ends:
        said.append(Phrase(N_("It ends the text.")))
    if token.drawn > 1:
        # Of one there is nothing to tell.
        stood = NN_(
            "{count} different token was here in turn.",
            "{count} different tokens were here in turn.",
        )
        said.append(Phrase(stood, count=token.drawn))
    return Phrase.joined(said)


def cuts_said(token: WrittenToken) -> Phrase:
    """What each cut did at a step, in order."""
    said = [cut_said(one) for one in token.cuts if one.name not in ("temperature", "barred")]
    if not said:
        return NOTHING
    left = NN_("{count} token is left.", "{count} tokens are left.")
    return Phrase.joined((*said, Phrase(left, count=token.left)))


def cut_said(one: Cut) -> Phrase:
    """What a cut did."""
    return Phrase(
        NN_("{name} removed {count} token ({share}).", "{name} removed {count} tokens ({share})."),
        name=Phrase(FIRST[one.name]),
        count=one.tokens,
        share=percent(one.probability, 1),
    )
