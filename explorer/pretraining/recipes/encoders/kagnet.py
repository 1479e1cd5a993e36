"""KagNet in miniature: which tool, by the paths of the small world's graph (Lin et al. 2019).

As published: TransE's vectors of concepts and relations stay as they are, and a margin of 0.2 is
wanted between the right choice and each wrong one. What differs: sizes, the schedule, that no list
of questions is read twice, and a second loss. Trained by the ranking alone, attention says little
of what counts: in two questions of three the right choice's score rises where the path that is
attended to most is cut. So in a second stage it is trained to fall. The sentence vectors are those
of the BERT miniature, which is not trained further.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.batches.chunked import StagedBatches, TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument

MARGIN: Final = 0.2
FALL: Final = 0.5
"""By how much the right choice's log-odds are to fall without the path that is attended to most."""
SHARE: Final = 0.6
"""Of that loss in the whole."""
EPS: Final = 1e-5


class KagNetRecipe(MiniatureRecipe):
    """Objective and card of the miniature that reads a graph."""

    name = "kagnet-miniature"
    title = "KagNet"
    needs = ("bert-miniature",)
    about = FamilyCard(
        recipe="kagnet",
        family="KagNet",
        tokenizer="WordPiece, uncased, that of bert-miniature",
        loads_with="",
        rows=(
            ("Graph", "the small world's tables, paths of up to four edges"),
            ("Vectors of concepts and relations", "TransE, not trained further"),
            ("Sentence vectors", "bert-miniature's [CLS], not trained further"),
            (
                "Losses",
                (
                    f"margin ranking, {MARGIN}, of the right choice and each wrong one; then also"
                    f" {FALL} of the right one's log-odds, with its most attended path and without"
                ),
            ),
        ),
    )
    # It reads questions, and none of the small world's documents.
    schedule = Schedule(
        steps=800, examples=10, documents=0, peak_rate=1.5e-3, restarts=((400, 1.5e-3),)
    )
    # From the restart on.
    second_stage = 0.5

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of its encoder."""
        return bundled_tokenizer(self.needs[0])

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The plugin's network."""
        from explorer.pretraining.measures.graph_questions import fresh

        return fresh()

    def make_batches(
        self,
        tokenizer: Any,  # noqa: ARG002
        documents: Sequence[CorpusDocument],  # noqa: ARG002
        seed: int,
    ) -> TrainingBatches:
        """Questions with five choices."""
        from explorer.pretraining.measures.graph_questions import GraphQuestionBatches

        batches = GraphQuestionBatches(self.schedule.examples, seed)
        return StagedBatches(batches, round(self.second_stage * self.schedule.steps))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """What is trained, and how often the right choice comes first and falls without its path.

        First the ranking of the choices alone; in the second stage also that the right one's score
        falls where the path that is attended to most is cut.
        """
        import torch

        from explorer.objectives.knowledge.transe import margin_ranking_loss
        from explorer.pretraining.measures.graph_questions import (
            judged,
            most_attended,
            without_path,
        )

        ranking, cutting, right, fell = [], [], [], []
        for rows, graphs, number in zip(
            batch["sentences"], batch["graphs"], batch["right"], strict=True
        ):
            every = judged(model, rows, graphs)
            found = torch.stack([one.score for one in every])
            wrong = torch.cat((found[:number], found[number + 1 :]))
            # As of distances: the right one is near.
            ranking.append(margin_ranking_loss(-found[number], -wrong, MARGIN) / len(wrong))
            right.append(float(found.argmax()) == number)
            top = most_attended(every[number]) if batch.get("stage") else None
            if top is not None:
                cut = model(rows[number], without_path(graphs[number], *top)).score
                # In log-odds: a score near 1 would hardly have a gradient.
                odds, less = torch.logit(found[number], EPS), torch.logit(cut, EPS)
                cutting.append(margin_ranking_loss(-odds, -less, FALL) * SHARE)
                fell.append(float(cut) < float(found[number]))
        measured = {
            "loss_choice": torch.stack(ranking).mean(),
            "choice_accuracy": torch.tensor(right, dtype=torch.float32).mean(),
        }
        if cutting:
            measured["loss_cut"] = torch.stack(cutting).mean()
            measured["cut_falls"] = torch.tensor(fell, dtype=torch.float32).mean()
        return measured

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:  # noqa: ARG002
        """How often it is right, beside its encoder alone."""
        from explorer.pretraining.cards.graph_questions import graph_questions_page

        return graph_questions_page(self, model)

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:  # noqa: ARG002
        """Keep with the files how often cutting a path lowers the score."""
        from explorer.pretraining.cards.graph_questions import CUT, CUT_SEED
        from explorer.pretraining.measures.graph_questions import (
            lowered_by_cutting,
            trainable,
            withheld_questions,
        )
        from explorer.pretraining.publish import change_config

        written = trainable().from_pretrained(out, dtype="float32").eval()
        lowered = lowered_by_cutting(written, withheld_questions(CUT, CUT_SEED))
        change_config(out, {"cutting": {"questions": CUT, "lowered": lowered}})


RECIPE = KagNetRecipe()
