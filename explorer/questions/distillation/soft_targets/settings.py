"""What the user sets of soft targets, and what is laid side by side on a sheet."""

from explorer.api.question import (
    Choice,
    Entry,
    Number,
    Situation,
    Switch,
    Template,
    TemplateEntry,
    Whole,
    WordList,
)
from explorer.numerics.distributions.temperature import COOLEST, HOTTEST
from explorer.text import N_

EVERY_WORD = "words"
"""What is compared: every word of either vocabulary, as it is."""

SWAPPED = "distillation_losses.swapped"
"""The option of a document by which B teaches and A learns."""
SWAP = Switch(
    N_("Swap teacher and student"),
    default=False,
    tip=N_("Swap teacher and student: B teaches and A learns, or back"),
    glyph="swap-horizontal",
    key=SWAPPED,
)
TEMPERATURE = Number(
    N_("Temperature"),
    1.0,
    tip=N_(
        "Both models' logits are divided by it: from 0.25 to 20, each way the same ratio. "
        "Above 1 the distributions are more even and show which wrong answers a model holds for "
        "less wrong."
    ),
    redraws=True,
    low=COOLEST,
    high=HOTTEST,
    step=0.25,
    ratios=True,
    key="soft_targets.temperature",
)
WORDS = WordList(
    N_("Words"),
    (),
    tip=N_(
        "Restrict both distributions to these words, with commas between them; they are "
        "renormalised over them. Empty: the whole vocabulary."
    ),
    placeholder=N_("Only these words: boring, fun, happy …"),
    key="soft_targets.words",
)
BY_TEACHER, BY_STUDENT, BY_DIFFERENCE, BY_WORD = "teacher", "student", "difference", "word"
ORDER = Choice(
    N_("Order"),
    BY_TEACHER,
    redraws=True,
    entries=(
        Entry(BY_TEACHER, N_("Teacher's order")),
        Entry(BY_STUDENT, N_("Student's order")),
        Entry(BY_DIFFERENCE, N_("Largest difference")),
        Entry(BY_WORD, N_("Alphabetical")),
    ),
    key="soft_targets.order",
)
MASK = Whole(N_("Mask"), 0, redraws=True, in_bar=False, high=100_000, key="soft_targets.mask")
"""Which mask of the answer is looked at, from 0."""
WHAT = Choice(
    N_("Compare"),
    "",
    entries=(
        Entry(
            "",
            N_("At any temperature"),
            N_(
                "Both distributions at any temperature, renormalised over the words that both "
                "vocabularies have."
            ),
        ),
        Entry(
            EVERY_WORD,
            N_("Word by word"),
            N_(
                "Every word of either vocabulary with the probability that it has (T = 1), for "
                "models that read from the left too. Words that only one has are one class "
                "together."
            ),
        ),
    ),
    key="soft_targets.what",
)


def four_temperatures(at: Situation) -> list[TemplateEntry]:
    """Soft targets of teacher and student at T = 1, 2, 4 and 8."""
    at.both()
    return [
        TemplateEntry(
            "soft_targets",
            at.document.with_option(TEMPERATURE.key, float(temperature)),
            label=f"T = {temperature}",
        )
        for temperature in (1, 2, 4, 8)
    ]


AT_TEMPERATURES = Template(
    "temperatures",
    N_("Teacher and student at four temperatures"),
    N_("Soft targets of both models at T = 1, 2, 4 and 8."),
    four_temperatures,
)
