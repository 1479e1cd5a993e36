"""How large are the losses of distillation for this very input, layer by layer?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    STUDENT,
    TEACHER,
    BidirectionalPredictor,
    Cell,
    LayersFrom0,
    Listing,
    PairClassifier,
    Question,
    ReadsEntities,
    Table,
    Topic,
    a_text,
    any_of,
    asked,
    spaces_stay_visible,
)
from explorer.api.question.roles import BySlot
from explorer.api.question.upgrades import FormerOption
from explorer.document import Mask
from explorer.questions.distillation.distillation_losses.losses import DistillationLossesResult
from explorer.questions.distillation.distillation_losses.settings import (
    DISTIL,
    FOLLOWS,
    MAP,
    MEASURE,
    OPTIONS,
    TEMPERATURE,
    WEIGHTS,
    LossSettings,
    followed,
    map_from_0,
)
from explorer.questions.distillation.distillation_losses.terms import table_of, terms
from explorer.questions.distillation.notes import noted
from explorer.questions.distillation.roles import SECOND_MODEL
from explorer.questions.distillation.soft_targets.settings import SWAP, SWAPPED
from explorer.text import N_


@dataclass(frozen=True)
class DistillationLossesRequest(ReadsEntities):
    """Ask for every loss between a teacher and a student.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters; without any there are no losses of predictions.
        temperature: Of the distillation loss.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    temperature: float = asked(TEMPERATURE)


def table(
    result: DistillationLossesResult,
    squared: bool = True,
    weights: Sequence[float] = WEIGHTS.default,
    distil: str = DISTIL.default,
    layer_map: str | tuple[int, ...] = MAP.default,
) -> Table:
    """One row a loss, those between layers one a pair of layers; else as the papers have it."""
    return table_of(result, followed(squared, weights, distil, layer_map))


COLUMN_TITLES = {
    "distillation": N_("Distillation loss"),
    "kl_teacher_student": N_("KL, teacher to student"),
    "teacher_entropy": N_("Teacher's entropy"),
    "kl_student_teacher": N_("KL, student to teacher"),
    "student": N_("Student loss"),
    "cosine": N_("Cosine loss"),
    "total": N_("Weighted sum"),
    "tinybert_embedding": N_("TinyBERT, embeddings"),
    "tinybert_hidden": N_("TinyBERT, hidden states"),
    "tinybert_attention": N_("TinyBERT, attention"),
    "tinybert_prediction": N_("TinyBERT, predictions"),
    "mobilebert_feature_map": N_("MobileBERT, feature maps"),
    "mobilebert_attention": N_("MobileBERT, attention"),
    "matched_by": N_("classes matched by"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: DistillationLossesResult) -> Mapping[str, Cell]:
    """Every loss by its name, in the settings of the papers; None where there is none."""
    found: dict[str, Cell] = {term.key: term.value for term in terms(result, LossSettings())}
    if result.predictions is not None and result.predictions.are_classes:
        found["matched_by"] = "number" if result.predictions.by_number else "name"
    return found


QUESTION = Question(
    name="distillation_losses",
    title=N_("Distillation losses"),
    asks=N_("How large is each loss of distillation for this input, layer by layer?"),
    listing=Listing(Topic.COMPARE, 2, "function-variant", "Alt+Shift+2", in_overview=4),
    found_by=("distillation loss", "cosine loss", "hidden state loss", "TinyBERT", "증류 손실"),
    request=DistillationLossesRequest,
    result=DistillationLossesResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={**FOLLOWS, "measure": MEASURE},
    second_model_hint=SECOND_MODEL,
    made_from=noted,
    sort_by="kl_teacher_student",
    binding=BySlot((TEACHER, STUDENT), SWAPPED),
    roles=dict.fromkeys((TEACHER, STUDENT), (any_of(BidirectionalPredictor, PairClassifier),)),
    upgrades=(spaces_stay_visible, LayersFrom0()),
    formerly=("distillation",),
    former_options={"map": FormerOption("layer_map", map_from_0)},
    options=(SWAP, *OPTIONS),
    conditions=(
        a_text(N_("Type a sentence and mask a word in it to see the losses of distillation.")),
    ),
)
