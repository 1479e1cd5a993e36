"""Ready-made comparisons: which questions make the sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.api import SLOTS, ModelCard, UserMistake
from explorer.document import Document
from explorer.questions.detection.casting import FILLS, judge_of, other_slot
from explorer.text import N_, _

TEMPERATURES = (1, 2, 4, 8)


@dataclass(frozen=True)
class Question:
    """One entry to be asked for.

    Attributes:
        operation: Its name.
        document: What it is asked of.
        slot: The model that answers, "" for those the view takes by itself.
        label: What the sheet calls the entry.
        baseline: The number of an earlier question whose answer this one is shown as the
            difference to, or None.
    """

    operation: str
    document: Document
    slot: str = ""
    label: str = ""
    baseline: int | None = None


@dataclass(frozen=True)
class Situation:
    """What a template can build on.

    Attributes:
        document: What is on screen.
        cards: The loaded models by slot.
        operation: The view that was used last.
        pinnable: The operations whose views show differences.
        single: The operations that one model answers.
        sees_masks: Those of them that can be asked without a mask and then ask something else,
            those that show differences first.
    """

    document: Document
    cards: Mapping[str, ModelCard]
    operation: str
    pinnable: frozenset[str]
    single: frozenset[str]
    sees_masks: tuple[str, ...] = ()

    def both(self) -> tuple[ModelCard, ModelCard]:
        """The two models.

        Raises:
            UserMistake: Only one is loaded, or none.
        """
        if not {"A", "B"} <= set(self.cards):
            raise UserMistake(
                N_("This comparison takes two models."),
                N_("Load a second one as B from the model library."),
            )
        return self.cards["A"], self.cards["B"]


@dataclass(frozen=True)
class Template:
    """A comparison.

    Attributes:
        name: For finding it.
        title: What the menu says, and the sheet's title.
        explanation: What it shows.
        questions: What is to be asked; raises UserMistake where something is missing.
    """

    name: str
    title: str
    explanation: str
    questions: Callable[[Situation], Sequence[Question]]


def two_models(at: Situation) -> list[Question]:
    """The view that was used last, from A, from B, and the difference where it can be shown."""
    first, second = at.both()
    operation = at.operation if at.operation in at.single else "masked_tokens"
    answers = (set(first.operations), set(second.operations))
    if not all(operation in answered for answered in answers):
        operation = "masked_tokens"
    found = [
        Question(operation, at.document, "A", first.title),
        Question(operation, at.document, "B", second.title),
    ]
    if operation in at.pinnable:
        label = _("{title} minus {first_title}", title=second.title, first_title=first.title)
        found.append(Question(operation, at.document, "B", label, baseline=0))
    return found


def with_and_without_masks(at: Situation) -> list[Question]:
    """A question of the text as it is, and with nothing masked."""
    bare = at.document.without_masks()
    if bare == at.document:
        raise UserMistake(
            N_("Nothing is masked."), N_("Mask a word first, then take this template.")
        )
    candidates = sorted(at.sees_masks, key=lambda name: name != at.operation)
    operation = next((name for name in candidates if _answered(name, at)), "tokens")
    found = [
        Question(operation, at.document, label=_("With the mask")),
        Question(operation, bare, label=_("Without a mask")),
    ]
    if operation in at.pinnable:
        found.append(Question(operation, bare, label=_("Without minus with"), baseline=0))
    return found


def _answered(operation: str, at: Situation) -> bool:
    return any(operation in card.operations for card in at.cards.values())


def four_temperatures(at: Situation) -> list[Question]:
    """Soft targets of teacher and student at T = 1, 2, 4 and 8."""
    at.both()
    return [
        Question(
            "soft_targets",
            at.document.with_option("soft_targets.temperature", float(temperature)),
            label=f"T = {temperature}",
        )
        for temperature in TEMPERATURES
    ]


def generator_and_discriminator(at: Situation) -> list[Question]:
    """The detection, and what the generator expects at the masks."""
    first, second = at.both()
    judge = judge_of(at.cards, SLOTS[0])
    if not judge:
        raise UserMistake(
            N_("None of the two models detects replaced tokens."),
            N_("Load an ELECTRA discriminator or a DeBERTa v3, and its generator."),
        )
    generator = other_slot(judge)
    found = [Question("replaced_tokens", at.document, label=_("Generator and discriminator"))]
    if at.document.masks and FILLS in at.cards[generator].operations:
        title = (first if generator == "A" else second).title
        found.append(Question("masked_tokens", at.document, generator, title))
    return found


TEMPLATES = (
    Template(
        "two_models",
        N_("Two models on one text"),
        N_("What A and B answer to the same question, and the difference."),
        two_models,
    ),
    Template(
        "masks",
        N_("One text with and without a mask"),
        N_("What changes in the model when a word is hidden."),
        with_and_without_masks,
    ),
    Template(
        "temperatures",
        N_("Teacher and student at four temperatures"),
        N_("Soft targets of both models at T = 1, 2, 4 and 8."),
        four_temperatures,
    ),
    Template(
        "detection",
        N_("Generator and discriminator"),
        N_("What the generator proposes and what the discriminator notices."),
        generator_and_discriminator,
    ),
)


def without_label(question: Question) -> Question:
    """The same question, for telling whether two ask the same."""
    return replace(question, label="", baseline=None)
