"""What is asked beside the plan: a run's name, sentences that are watched, what is done with it."""

from explorer.api.question import Choice, Entry, Switch, Whole, Words
from explorer.learning.plan.options import MOST_STEPS
from explorer.text import N_

BETWEEN = ";"
"""Between two sentences that are watched."""

NAME = Words(
    N_("Name"),
    "",
    N_("What the run is called. Another name renames a run that is not being trained."),
    placeholder=N_("named after its objective"),
    key="train.name",
)
WATCHED = Words(
    N_("Watched sentences"),
    "the [MASK] cooked the soup",
    N_(
        "With [MASK]: the model is asked for the word there at every frame. Separate several by a "
        "semicolon."
    ),
    is_long=True,
    key="train.watched",
)
TRAIN = Switch(N_("Train"), True, N_("Train it, or continue; without, only look what there is."))
ACT = Choice(
    N_("Do"),
    "",
    N_("What is done with the run of this plan."),
    entries=(
        Entry("", N_("nothing")),
        Entry("pause", N_("pause")),
        Entry("cancel", N_("cancel")),
        Entry(
            "seeds",
            N_("more seeds"),
            N_("Train the same plan with other seeds: until there are three, or with another one."),
        ),
        Entry("delete", N_("delete")),
    ),
    in_bar=False,
)
MOMENT = Words(N_("Moment"), "", N_("Says which time the same is done."), in_bar=False)
SURE = Words(N_("To be deleted"), "", redraws=True, in_bar=False, key="train.sure")

NEWEST = -1
FRAME = Whole(
    N_("Frame"),
    NEWEST,
    N_("The step at which watched sentences are laid next to the exact answers."),
    low=NEWEST,
    high=MOST_STEPS,
    least_said=N_("the newest"),
    redraws=True,
    in_bar=False,
    key="train.frame",
)


def sentences_in(typed: str) -> tuple[str, ...]:
    """The sentences that were typed, those without a mask left out."""
    parts = (one.strip() for one in typed.split(BETWEEN))
    return tuple(dict.fromkeys(one for one in parts if "[MASK]" in one))
