"""What is asked of a run beside its plan: what is done with it, and sentences that are watched."""

from explorer.api.question import Choice, Entry, Switch, Whole, Words
from explorer.learning.plan.options import MOST_STEPS
from explorer.text import N_

BETWEEN = ";"
"""Between two sentences that are watched."""
NEWEST = -1
"""What stands for the frame that was measured last."""


def name_of_run(question: str, placeholder: str) -> Words:
    """The option that names a run.

    Args:
        question: Whose option it is.
        placeholder: What a run is named after by itself, marked for translation.
    """
    return Words(
        N_("Name"),
        "",
        N_("What the run is called. Another name renames a run that is not being trained."),
        placeholder=placeholder,
        key=f"{question}.name",
    )


def watched_sentences(question: str) -> Words:
    """The option that has the sentences which are asked at every frame."""
    return Words(
        N_("Watched sentences"),
        "the [MASK] cooked the soup",
        N_(
            "With [MASK]: the model is asked for the word there at every frame. Separate several "
            "by a semicolon."
        ),
        is_long=True,
        key=f"{question}.watched",
    )


def trains() -> Switch:
    """Whether it is trained, or looked at alone."""
    return Switch(N_("Train"), True, N_("Train it, or continue; without, only look what there is."))


def act(*more: Entry) -> Choice:
    """What is done with the run; further deeds are a question's own."""
    return Choice(
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
                N_(
                    "Train the same plan with other seeds: until there are three, or with another "
                    "one."
                ),
            ),
            Entry("delete", N_("delete")),
            *more,
        ),
        in_bar=False,
    )


def moment() -> Words:
    """Which time it is done."""
    return Words(N_("Moment"), "", N_("Says which time the same is done."), in_bar=False)


def to_be_deleted(question: str) -> Words:
    """The option that holds the run whose deletion was asked for once."""
    return Words(N_("To be deleted"), "", redraws=True, in_bar=False, key=f"{question}.sure")


def frame(question: str) -> Whole:
    """The option that holds the frame whose answers are drawn."""
    return Whole(
        N_("Frame"),
        NEWEST,
        N_("The step at which watched sentences are laid next to the exact answers."),
        low=NEWEST,
        high=MOST_STEPS,
        least_said=N_("the newest"),
        redraws=True,
        in_bar=False,
        key=f"{question}.frame",
    )


def sentences_in(typed: str) -> tuple[str, ...]:
    """The sentences that were typed, those without a mask left out."""
    parts = (one.strip() for one in typed.split(BETWEEN))
    return tuple(dict.fromkeys(one for one in parts if "[MASK]" in one))
