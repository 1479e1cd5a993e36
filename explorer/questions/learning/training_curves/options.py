"""Whose curves are shown, over what, and how they are drawn."""

from pathlib import Path, PurePath

from explorer.api.question import Choice, Entry, FilePath, Share, Switch, WordList
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.places import is_curve
from explorer.text import N_

MOST = 24
"""Curves side by side."""
STEPS, TOKENS, MULTIPLY_ADDS = "steps", "tokens", "multiply_adds"
LOSSES = frozenset({MeasuredQuantity.LOSS, MeasuredQuantity.EXCESS, MeasuredQuantity.PERPLEXITY})

SOURCES = WordList(
    N_("Curves"),
    (),
    N_(
        "Names of models that come with the program, and folders and files, with commas between "
        "them. Empty: the loaded model's, or those of a few that come with the program."
    ),
    placeholder=N_("the loaded model's"),
    in_bar=False,
    most=MOST,
    key="training_curves.sources",
)


def _takes(path: PurePath) -> bool:
    try:
        return is_curve(Path(path))
    except OSError:
        return False


FILE = FilePath(
    N_("Add a file…"),
    "",
    N_(
        "Add another curve: trainer_state.json, an event file of TensorBoard, a table (CSV), an "
        "object of JSON on every line. A file or a folder can be dropped here, too."
    ),
    redraws=True,
    kinds=N_("Curves (*.json *.jsonl *.ndjson *.csv *.tsv *tfevents*)"),
    takes=_takes,
    adds_to=SOURCES.key,
    key="training_curves.file",
)
FOLDER = FilePath(
    N_("Add a folder…"),
    "",
    N_(
        "Add the curves of a folder: of a run of transformers' Trainer, of TensorBoard, of this "
        "program, or of several runs."
    ),
    redraws=True,
    is_folder=True,
    adds_to=SOURCES.key,
    key="training_curves.folder",
)
AXIS = Choice(
    N_("Over"),
    STEPS,
    N_("What the curves are drawn over, where their files count it."),
    redraws=True,
    entries=(
        Entry(STEPS, N_("steps")),
        Entry(TOKENS, N_("tokens"), N_("Tokens that were read by then.")),
        Entry(MULTIPLY_ADDS, N_("multiply-adds"), N_("Multiply-adds that had been done by then.")),
    ),
    in_sight=True,
    key="training_curves.axis",
)
SHOW = Choice(
    N_("Show"),
    "learnt",
    N_("Which measurements are drawn."),
    redraws=True,
    entries=(
        Entry("learnt", N_("losses and accuracies")),
        Entry("losses", N_("losses")),
        Entry("accuracies", N_("accuracies")),
        Entry("all", N_("everything measured")),
    ),
    in_sight=True,
    key="training_curves.show",
)
SMOOTHING = Share(
    N_("Smoothing"),
    0.0,
    N_("How much of the values before it each value keeps, as TensorBoard smooths."),
    redraws=True,
    low=0.0,
    high=0.99,
    in_sight=True,
    key="training_curves.smoothing",
)
POWERS = Switch(
    N_("Steps by powers of ten"),
    False,
    N_("Most is learnt early: the beginning gets more room."),
    redraws=True,
    key="training_curves.powers",
)
ALIKE = Switch(
    N_("Unnamed losses are alike"),
    False,
    N_(
        "A column that is only called “loss” does not say what of. Say that all of them are of one "
        "objective, to lay them on one axis."
    ),
    redraws=True,
    key="training_curves.alike",
)
OPTIONS = (AXIS, SHOW, SMOOTHING, FILE, FOLDER, POWERS, ALIKE, SOURCES)
