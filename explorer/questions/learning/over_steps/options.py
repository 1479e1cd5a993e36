"""What is asked at every step, of which series, and how the curves are drawn."""

from typing import Any

from explorer.api.question import Choice, Entry, FilePath, Option, Switch, WordList, Words
from explorer.series.steps import ALL
from explorer.text import N_

USUAL = "masked_tokens"
MOST_SERIES = 24
"""On one chart."""
MOST_SHOWN = 24
LOGARITHMIC, LINEAR = "logarithmic", "linear"
INTERVAL, RANGE = "interval", "range"

ASKED_QUESTION = Choice(
    N_("Asked"),
    USUAL,
    N_("What is asked at every step, with the settings of its own page."),
    is_open=True,
    in_sight=True,
    key="over_steps.operation",
)
SERIES = WordList(
    N_("Further series"),
    (),
    N_(
        "Names of runs of training, folders with checkpoint-*, and models of the hub whose steps "
        "were downloaded, with commas between them: they are asked the same."
    ),
    placeholder=N_("none"),
    most=MOST_SERIES - 1,
    key="over_steps.series",
)
FOLDER = FilePath(
    N_("Add a folder…"),
    "",
    N_("Add another series: a folder with checkpoint-* in it, as transformers' Trainer leaves it."),
    redraws=True,
    is_folder=True,
    adds_to=SERIES.key,
    key="over_steps.folder",
)
STEPS = Words(
    N_("Steps"),
    ALL,
    N_("Which steps are asked: all, or as in 10,100,1000-4000."),
    key="over_steps.steps",
)
FIND = Words(
    N_("Find numbers"),
    "",
    N_("Which numbers of the answer are offered below: a word, a layer, what is measured."),
    redraws=True,
    placeholder=N_("a word, a head, what is measured"),
    in_sight=True,
    key="over_steps.find",
)
SHOWN = WordList(
    N_("Numbers on the chart"),
    (),
    N_("Which numbers of the answer are drawn; those that say most where none is chosen."),
    redraws=True,
    in_bar=False,
    most=MOST_SHOWN,
    key="over_steps.shown",
)
AXIS = Choice(
    N_("Steps go by"),
    LOGARITHMIC,
    N_("Most is learnt early: by powers of ten, the beginning has more room."),
    redraws=True,
    entries=(
        Entry(LOGARITHMIC, N_("powers of ten")),
        Entry(LINEAR, N_("equal distances")),
    ),
    in_sight=True,
    key="over_steps.axis",
)
ALIKE = Switch(
    N_("Series differ in their seed alone"),
    False,
    N_(
        "Take all series as runs of one plan, with a mean and a band. Of runs that were made here "
        "it is known; of others nobody says it."
    ),
    redraws=True,
    key="over_steps.alike",
)
BAND = Choice(
    N_("Band"),
    INTERVAL,
    N_("What is drawn around the mean of several seeds."),
    redraws=True,
    entries=(
        Entry(INTERVAL, N_("95 % interval"), N_("Of the mean, by Student's t.")),
        Entry(RANGE, N_("least to greatest"), N_("From the least seed to the greatest one.")),
    ),
    key="over_steps.band",
)
OPTIONS: tuple[Option[Any], ...] = (
    ASKED_QUESTION,
    FIND,
    AXIS,
    SERIES,
    FOLDER,
    STEPS,
    ALIKE,
    BAND,
    SHOWN,
)
