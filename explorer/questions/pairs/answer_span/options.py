"""What the search for an answer can be set to."""

import enum

from explorer.api.question import Choice, Entry, Number, Places, Switch, Whole
from explorer.text import N_


class Align(enum.StrEnum):
    """Where an answer may be cut."""

    WORDS = "words"
    """Around whole words: the pieces of a word are taken along."""
    PIECES = "pieces"
    """At the pieces' own characters."""


MAX_ANSWER_LEN = Whole(
    N_("Longest answer"),
    15,
    N_("In pieces: longer spans are no answers."),
    low=1,
    high=512,
)
ALIGN = Choice(
    N_("Answer boundaries"),
    Align.WORDS.value,
    beside=True,
    entries=(
        Entry(Align.WORDS.value, N_("at words"), N_("An answer holds whole words")),
        Entry(Align.PIECES.value, N_("at pieces"), N_("An answer may end inside a word")),
    ),
)
NO_ANSWER = Switch(
    N_("May have no answer"),
    False,
    N_("“No answer” competes with the spans, as in SQuAD 2.0."),
)
THRESHOLD = Number(
    N_("Threshold"),
    0.0,
    N_(
        "There is no answer where its score is higher than the best span's by more than this "
        "(Devlin et al. 2019, section 4.3); it is tuned on examples."
    ),
    low=-20.0,
    high=20.0,
    step=0.1,
    redraws=True,
    when=lambda document: bool(NO_ANSWER.of(document)),
    key="answer_span.threshold",
)
MAX_SEQ_LEN = Whole(
    N_("Window"),
    384,
    N_(
        "Pieces that are read at once, the question and special ones included; what the model "
        "takes at most, where that is less. A longer passage is read in several windows."
    ),
    low=8,
    high=100_000,
)
DOC_STRIDE = Whole(
    N_("Overlap"),
    128,
    N_(
        "Pieces of the passage that are in two neighbouring windows; half a window "
        "where that is less and nothing was set."
    ),
    low=0,
    high=100_000,
)
WINDOW = Places(
    N_("Window looked at"), (), redraws=True, in_bar=False, count=1, key="answer_span.window"
)
"""The number of the window whose scores are drawn; none for that of the best answer."""
