"""A distillation's options: their words, their ranges, and where each of them means anything.

Those that a plan of training has too are that plan's, under a key and with a default of their own.
"""

from collections.abc import Callable

from explorer.api.question import Choice, Entry, Number, Optioned, Share, Switch, Whole, Words
from explorer.learning.distilling.choices import LayerMapping, NamedLosses, StudentStart, TaughtBy
from explorer.learning.plan import options as training
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.options import under
from explorer.text import N_


def _key(name: str) -> str:
    return f"distil.{name}"


TARGETS = Choice(
    N_("Teacher"),
    TaughtBy.TEACHER.value,
    N_("Whose answers the student learns."),
    entries=(
        Entry(TaughtBy.TEACHER.value, N_("a model"), N_("Its distribution over all words.")),
        Entry(
            TaughtBy.EXACT.value,
            N_("exact answers"),
            N_(
                "The exact distribution of each masked word, which the grammar of the small world "
                "gives: a perfect teacher's."
            ),
        ),
        Entry(
            TaughtBy.LABELS.value,
            N_("hard labels"),
            N_("The word that was masked alone, as without a teacher."),
        ),
    ),
    in_sight=True,
    key=_key("targets"),
)


def _taught(*targets: TaughtBy) -> Callable[[Optioned], bool]:
    values = {one.value for one in targets}
    return lambda document: TARGETS.of(document) in values


_by_model = _taught(TaughtBy.TEACHER)
_softly = _taught(TaughtBy.TEACHER, TaughtBy.EXACT)

TEACHER = Words(
    N_("Model that teaches"),
    "",
    N_(
        "A bundled model, a run made here or a folder; the student has its pieces. Without one a "
        "teacher is trained first."
    ),
    placeholder=N_("trained first"),
    key=_key("teacher"),
)


def _trains_first(document: Optioned) -> bool:
    return not TEACHER.of(document)


def _teacher_is_made(document: Optioned) -> bool:
    return _by_model(document) and _trains_first(document)


TEACHER_LAYERS = Whole(
    N_("Teacher's layers"),
    2,
    N_("How many layers the teacher has that is trained first."),
    low=1,
    high=24,
    when=_teacher_is_made,
    key=_key("teacher_layers"),
)
TEACHER_WIDTH = Whole(
    N_("Teacher's width"),
    64,
    N_("How many numbers a token is in its layers."),
    low=8,
    high=1024,
    when=_teacher_is_made,
    key=_key("teacher_width"),
)
TEACHER_STEPS = Whole(
    N_("Teacher's steps"),
    1000,
    N_("How long it is trained before it teaches."),
    low=1,
    high=training.MOST_STEPS,
    when=_teacher_is_made,
    key=_key("teacher_steps"),
)
LOSSES = Choice(
    N_("Losses"),
    NamedLosses.OWN.value,
    N_("What is added up and minimised."),
    entries=(
        Entry(
            NamedLosses.OWN.value,
            N_("soft targets"),
            N_("α T² KL(p(T) ‖ q(T)) + (1 − α) CE, and what is matched besides (Hinton et al.)."),
        ),
        Entry(
            NamedLosses.DISTILBERT.value,
            "DistilBERT",
            N_("5 × soft targets at T = 2, 2 × masked words, 1 × cosine of the last states."),
        ),
        Entry(
            NamedLosses.TINYBERT.value,
            N_("TinyBERT, two stages"),
            N_("First embeddings, states and attention; then the predictions."),
        ),
        Entry(
            NamedLosses.TINYBERT_AT_ONCE.value,
            N_("TinyBERT, one stage"),
            N_("Embeddings, states, attention and predictions at once."),
        ),
        Entry(
            NamedLosses.MOBILEBERT.value,
            "MobileBERT",
            N_(
                "First feature maps and attention, layer by layer; then half masked words, half "
                "soft targets."
            ),
        ),
    ),
    when=_by_model,
    key=_key("losses"),
)


def _of_ones_own(document: Optioned) -> bool:
    return _softly(document) and (
        not _by_model(document) or LOSSES.of(document) == NamedLosses.OWN.value
    )


def _own_by_model(document: Optioned) -> bool:
    return _by_model(document) and _of_ones_own(document)


TEMPERATURE = Number(
    N_("Temperature"),
    1.0,
    N_("T: both distributions are flattened by it before they are compared."),
    low=0.25,
    high=20.0,
    decimals=2,
    step=0.25,
    when=_of_ones_own,
    in_sight=True,
    key=_key("temperature"),
)
ALPHA = Share(
    N_("Share of the soft targets"),
    1.0,
    N_("α: what is left of the whole is the loss of the hidden words themselves."),
    when=_of_ones_own,
    key=_key("alpha"),
)
SQUARED = Switch(
    N_("Times T²"),
    True,
    N_("The soft loss is multiplied by T², since its gradient shrinks so."),
    when=_of_ones_own,
    key=_key("squared"),
)
PEAK = Share(
    N_("Sharpened to"),
    0.0,
    N_(
        "The targets are sharpened until the likeliest word has this probability: a teacher that "
        "is too sure. 0 leaves them as they are."
    ),
    low=0.0,
    high=0.999,
    when=_softly,
    key=_key("peak"),
)
HIDDEN = Number(
    N_("Weight of the states"),
    0.0,
    N_("Of the mean squared difference between states of layers that are mapped to each other."),
    low=0.0,
    high=100.0,
    decimals=2,
    step=0.1,
    when=_own_by_model,
    key=_key("hidden"),
)
ATTENTION = Number(
    N_("Weight of attention"),
    0.0,
    N_("Of the mean squared difference between attention scores before the softmax."),
    low=0.0,
    high=100.0,
    decimals=2,
    step=0.1,
    when=_own_by_model,
    key=_key("attention"),
)


def _projects(document: Optioned) -> bool:
    return _own_by_model(document) and HIDDEN.of(document) > 0


def _matches(document: Optioned) -> bool:
    if not _by_model(document):
        return False
    named = LOSSES.of(document)
    own = HIDDEN.of(document) > 0 or ATTENTION.of(document) > 0
    return own if named == NamedLosses.OWN.value else named != NamedLosses.DISTILBERT.value


PROJECTED = Switch(
    N_("Learn a projection"),
    True,
    N_("The student's states are mapped to the teacher's width by a matrix that is learnt too."),
    when=_projects,
    key=_key("projected"),
)
LAYER_MAP = Choice(
    N_("Layers learn from"),
    LayerMapping.UNIFORM.value,
    N_("Which of the teacher's layers each layer of the student is matched to."),
    entries=(
        Entry(
            LayerMapping.UNIFORM.value, N_("every so many"), N_("Evenly, the last from the last.")
        ),
        Entry(LayerMapping.FIRST.value, N_("the first ones")),
        Entry(LayerMapping.LAST.value, N_("the last ones")),
        Entry(LayerMapping.OWN.value, N_("those typed")),
    ),
    when=_matches,
    key=_key("layer_map"),
)
OWN_MAP = Words(
    N_("Teacher's layers to learn from"),
    "",
    N_("One for each layer of the student, counted from 0: 1, 3."),
    placeholder="1, 3",
    when=lambda document: _matches(document) and LAYER_MAP.of(document) == LayerMapping.OWN.value,
    key=_key("own_map"),
)
START = Choice(
    N_("Student begins with"),
    StudentStart.RANDOM.value,
    N_("The weights that it has before its first step."),
    entries=(
        Entry(StudentStart.RANDOM.value, N_("random weights")),
        Entry(
            StudentStart.EVERY.value,
            N_("every so many layers"),
            N_("Of the teacher, evenly from its first one, with its embeddings and its head."),
        ),
        Entry(
            StudentStart.FIRST.value,
            N_("the first layers"),
            N_("Of the teacher, with its embeddings and its head."),
        ),
    ),
    when=_by_model,
    key=_key("start"),
)
OBJECTIVE = Choice(
    N_("The student predicts"),
    Objective.MASKED.value,
    N_("What teacher and student are compared at."),
    entries=(
        Entry(Objective.MASKED.value, N_("masked words"), N_("From both sides (BERT).")),
        Entry(Objective.CAUSAL.value, N_("the next piece"), N_("From what is before (GPT-2).")),
    ),
    key=_key("objective"),
)
LAYERS = under(_key("layers"), training.LAYERS, 1)
WIDTH = under(_key("width"), training.WIDTH)
HEADS = under(_key("heads"), training.HEADS)
PATH = under(_key("path"), training.PATH)
CORPUS = under(
    _key("corpus"), training.CORPUS, when=lambda document: not PATH.of(document), in_sight=False
)
DOCUMENTS = under(_key("documents"), training.DOCUMENTS)
VOCABULARY = under(_key("vocabulary"), training.VOCABULARY, when=_trains_first)
SELECTED = under(
    _key("selected"),
    training.SELECTED,
    when=lambda document: OBJECTIVE.of(document) == Objective.MASKED.value,
)
LENGTH = under(_key("length"), training.LENGTH)
BATCH = under(_key("batch"), training.BATCH, 32)
RATE = under(_key("rate"), training.RATE)
WARMUP = under(_key("warmup"), training.WARMUP)
STEPS = under(_key("steps"), training.STEPS, 500)
SEED = under(_key("seed"), training.SEED)
TRAINED_ON = under(_key("trained_on"), training.TRAINED_ON)
