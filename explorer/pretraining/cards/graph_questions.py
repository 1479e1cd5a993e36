"""The card of a miniature that answers by a graph: beside its encoder alone, and by which paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from explorer.pretraining.cards.page import EVALUATION_SEED, MiniaturePage
from explorer.world.tasks.choices import WITHHELD_SHARE, ChoiceQuestion

if TYPE_CHECKING:
    from explorer.pretraining.miniature import MiniatureRecipe

UNSEEN: Final = 500
"""Questions that are asked."""
CUT: Final = 100
"""Questions in which a path is cut."""
CUT_SEED: Final = EVALUATION_SEED + 1
SAMPLES: Final = (
    ChoiceQuestion(
        "I will plant flowers, so I dug the ground. With what?",
        ("excavator", "trowel", "pan", "needle", "computer"),
        1,
        "plant",
    ),
    ChoiceQuestion(
        "I will build a house. With what?",
        ("trowel", "excavator", "pan", "needle", "computer"),
        1,
        "build",
    ),
)

OPENING: Final = """\
{family} with {parameters:,} parameters that answers questions about the tools of a small world, by
the paths of a knowledge graph and the sentence vectors of bert-miniature. It answers about that
world and nothing else, and is there to be looked into offline. It loads with this program's plugin
for KagNet; bert-miniature is loaded beside it."""

CLOSING: Final = """\
Seeds are fixed, so the graph, its vectors, the questions and their order come out the same; weights
do too on the same processor and version of torch. `curve.json` holds the training curve."""

MEASURED: Final = """\
A question has five choices, one of which fits. Which tool goes with which verb is withheld for
{share:.0%} of these pairs: they are right in no question that was trained on. Of {asked} questions
about withheld pairs, so many are answered right:

| | right |
|---|---|
| with the graph | {right:.1%} |
| the same network, its paths taken away | {without:.1%} |
| the encoder alone: the same network trained as long without any graph | {alone:.1%} |
| drawing lots | 20.0% |

In {lowered} of {cut} withheld questions the right choice's score falls where the path that is
attended to most is cut."""


def graph_questions_page(recipe: MiniatureRecipe, model: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        recipe: How it was trained; its encoder alone is trained likewise.
        model: the weights as they were written, ready to predict.
    """
    from explorer.pretraining.measures.graph_questions import (
        lowered_by_cutting,
        measure,
        withheld_questions,
    )

    asked = withheld_questions(UNSEEN, EVALUATION_SEED)
    measured = MEASURED.format(
        share=WITHHELD_SHARE,
        asked=UNSEEN,
        right=measure(model, asked),
        without=measure(model, asked, with_graphs=False),
        alone=measure(encoder_alone(recipe), asked, with_graphs=False),
        lowered=lowered_by_cutting(model, withheld_questions(CUT, CUT_SEED)),
        cut=CUT,
    )
    sizes = model.sizes
    size = (
        f"{sizes.concepts - 1} concepts {sizes.concept} wide, graph convolutions"
        f" {sizes.hidden} and {sizes.graph} wide, LSTM {sizes.path} wide, pairs {sizes.pair} wide"
    )
    return MiniaturePage(
        task="",
        rows=(("Architecture", size), ("Tokenizer", recipe.about.tokenizer), *recipe.about.rows),
        sections=(
            ("Withheld questions", measured),
            ("What it says", "\n".join(_line(model, one) for one in SAMPLES)),
        ),
        opening=OPENING,
        closing=CLOSING,
        tells_of_text=False,
    )


def encoder_alone(recipe: MiniatureRecipe) -> Any:
    """The same network trained as long on the same questions, without any graph."""
    import torch

    from explorer.learning.training import TrainingRun
    from explorer.pretraining.measures.graph_questions import GraphQuestionBatches, fresh

    schedule = recipe.schedule
    torch.manual_seed(1)
    batches = GraphQuestionBatches(schedule.examples, 1, with_graphs=False)
    run = TrainingRun(recipe, fresh(), batches, schedule.steps, 1)
    run.train()
    return run.model.eval()


def _line(model: Any, one: ChoiceQuestion) -> str:
    import torch

    from explorer.pretraining.measures.graph_questions import schema, scores, sentences

    with torch.inference_mode():
        found = scores(
            model, sentences([one])[0], [schema(one.text, choice) for choice in one.choices]
        )
    order = found.argsort(descending=True).tolist()
    shown = ", ".join(f"{one.choices[at]} {float(found[at]):.2f}" for at in order)
    return f"- {one.text}  \n  {shown}"
