"""Options of fine-tuning: their words, their ranges, and where each means anything."""

from __future__ import annotations

from explorer.api.question import Choice, Entry, Number, Optioned, Share, Switch, Whole, Words
from explorer.files_of_sentences.options import sentences_file
from explorer.learning.plan import options as training
from explorer.learning.plan.options import under
from explorer.learning.tuning.choices import LabelledTask, ReadLayer, Tuned
from explorer.text import N_

MOST_EPOCHS = 1000
CLASSES = frozenset(
    {
        LabelledTask.SENTIMENT,
        LabelledTask.INFERENCE,
        LabelledTask.PARAPHRASE,
        LabelledTask.TRADES,
    }
)
"""Tasks of one label a text."""


def _key(name: str) -> str:
    return f"tune.{name}"


BASE = Words(
    N_("Model"),
    "bert-miniature",
    N_("Who learns the task: a bundled model, a finished run or a folder. It stays as it is."),
    in_sight=True,
    key=_key("base"),
)
PATH = sentences_file(
    _key("path"),
    N_("Learn from…"),
    N_(
        "Learn a table in place of a task: labels of texts or of words, answers in passages, or "
        "choices. What it is follows from its columns."
    ),
)

TASK = Choice(
    N_("Task"),
    LabelledTask.SENTIMENT.value,
    N_("What the model learns to say of a text; a table takes its place."),
    entries=(
        Entry(
            LabelledTask.SENTIMENT.value,
            N_("sentiment of films"),
            N_("Whether somebody liked a film, by one sentence about it."),
        ),
        Entry(
            LabelledTask.INFERENCE.value,
            N_("inference"),
            N_("Whether a second sentence follows from the first, contradicts it, or neither."),
        ),
        Entry(
            LabelledTask.PARAPHRASE.value,
            N_("paraphrase"),
            N_("Whether two sentences say the same."),
        ),
        Entry(
            LabelledTask.ROLES.value,
            N_("roles of words"),
            N_("A label for each word: who, what, where, with what and when."),
        ),
        Entry(
            LabelledTask.ANSWERS.value,
            N_("answers in a passage"),
            N_("Where a passage answers a question, or that it does not."),
        ),
        Entry(
            LabelledTask.ENDINGS.value,
            N_("endings of texts"),
            N_("Which of four sentences continues a text, as in SWAG."),
        ),
        Entry(
            LabelledTask.TRADES.value,
            N_("trades"),
            N_("Whether a short text of the smallest world is of cooking, gardening or painting."),
        ),
    ),
    when=lambda document: not PATH.of(document),
    in_sight=True,
    key=_key("task"),
)


def _of_table(document: Optioned) -> bool:
    return bool(PATH.of(document))


TEXT_COLUMN = Words(
    N_("Column of texts"),
    "",
    N_("Its name or number; without one it is found by its name or its length."),
    when=_of_table,
    key=_key("text_column"),
)
SECOND_COLUMN = Words(
    N_("Column of second texts"),
    "",
    N_("Its name or number; - for none."),
    when=_of_table,
    key=_key("second_column"),
)


def _of_classes(document: Optioned) -> bool:
    return TASK.applies(document) and TASK.of(document) in CLASSES


SHUFFLED = Switch(
    N_("Shuffled labels"),
    False,
    N_("A control: labels are dealt out anew among the examples, and say nothing of texts."),
    when=_of_classes,
    key=_key("shuffled"),
)
EXAMPLES = Whole(
    N_("Examples"),
    500,
    N_("How many labelled texts are learnt from; others judge what came of it."),
    low=0,
    high=100_000,
    least_said=N_("all that there are"),
    key=_key("examples"),
)
TUNED = Choice(
    N_("Trained weights"),
    Tuned.ALL.value,
    N_("What changes while the task is learnt."),
    entries=(
        Entry(
            Tuned.FEATURES.value,
            N_("the head alone"),
            N_("The model stays as it is: its states are features (feature-based)."),
        ),
        Entry(Tuned.LAST.value, N_("head and last layer")),
        Entry(
            Tuned.LORA.value,
            N_("LoRA"),
            N_("Head, and a change of low rank to attention's weights (Hu et al. 2021)."),
        ),
        Entry(Tuned.ALL.value, N_("everything"), N_("Fine-tuned as in BERT and GPT.")),
    ),
    in_sight=True,
    key=_key("tuned"),
)
RANK = Whole(
    N_("Rank"),
    8,
    N_("Of LoRA's change; it is scaled by two."),
    low=1,
    high=256,
    when=lambda document: TUNED.of(document) == Tuned.LORA,
    key=_key("rank"),
)
LAYER = Choice(
    N_("Layer read"),
    ReadLayer.LAST.value,
    N_("Whose states the head reads; layers above it are left out of the model."),
    entries=(
        Entry(ReadLayer.FIRST.value, N_("the first")),
        Entry(ReadLayer.MIDDLE.value, N_("the middle one")),
        Entry(ReadLayer.LAST.value, N_("the last")),
    ),
    key=_key("layer"),
)
RATE = under(_key("rate"), training.RATE, 0.0005, low=1e-7, decimals=7)
HEAD_RATE = Number(
    N_("Head’s learning rate, times"),
    1.0,
    N_("How many times the body’s learning rate the fresh head has."),
    low=0.01,
    high=1000.0,
    decimals=2,
    step=1.0,
    ratios=True,
    when=lambda document: TUNED.of(document) != Tuned.FEATURES,
    key=_key("head_rate"),
)
LAYER_DECAY = Share(
    N_("Rate of the layer below"),
    1.0,
    N_("As a share of the rate of the layer above it: lower layers change less."),
    low=0.1,
    high=1.0,
    step=0.05,
    when=lambda document: TUNED.of(document) == Tuned.ALL,
    key=_key("layer_decay"),
)
EPOCHS = Whole(
    N_("Epochs"),
    5,
    N_("How many times each example is read."),
    low=1,
    high=MOST_EPOCHS,
    key=_key("epochs"),
)
PATIENCE = Whole(
    N_("Stop after"),
    0,
    N_("Epochs without a lower loss on held-out texts, after which training ends."),
    low=0,
    high=100,
    least_said=N_("never before the end"),
    key=_key("patience"),
)
BATCH = under(_key("batch"), training.BATCH, 16, high=1024)
WARMUP = under(_key("warmup"), training.WARMUP, 0.1)
LENGTH = under(
    _key("length"),
    training.LENGTH,
    128,
    low=8,
    high=4096,
    tip=N_("Tokens of a text or a pair that are read; what is longer is cut."),
)
SEED = under(
    _key("seed"),
    training.SEED,
    tip=N_("Of the head’s first weights, of which examples are taken, and of their order."),
)
TRAINED_ON = under(_key("trained_on"), training.TRAINED_ON)
