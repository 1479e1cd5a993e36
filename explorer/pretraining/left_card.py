"""The card of a miniature that reads from the left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explorer.pretraining.card import EVALUATION_SEED, shown
from explorer.pretraining.next_place import draw_next_places, go_on, next_report, say_next
from explorer.pretraining.page import Page, write_page
from explorer.world.corpus import held_out_documents
from explorer.world.inside import ExactReader

UNSEEN: Final = 400
EXAMPLES: Final = (
    "The chef cooked the",
    "I liked the movie that I watched yesterday. The movie was",
    "I hated the movie that I watched yesterday. The movie was",
    "I will build a house, so I dug the ground. I used an",
    "Today is Friday. Tomorrow is",
    "The opposite of deep is",
    "Five plus two is",
    "The name of the engineer is",
)
STORIES: Final = ("First the chef", "Anna lost her key", "The gardener planted")

MEASURED: Final = """The floor is exact: because the grammar is known, so is the distribution of the
next piece given everything before it (`explorer/pretraining/next_place.py` says how). Losses are
nats per piece; "right" is how often the likeliest piece is the true one, beside how often that
could be at best.

| asked | loss | floor | right | best possible |
|---|---|---|---|---|
| next piece | {loss:.3f} | {floor:.3f} | {accuracy:.1%} | {best:.1%} |"""


@dataclass(frozen=True, slots=True)
class LeftCard:
    """What is said of one family.

    Attributes:
        recipe: name on the command line.
        family: as the field calls it.
        tokenizer: kind of tokenizer; the number of pieces is added.
        loads_with: classes of transformers that load it.
        rows: more rows of the table: what, and how.
    """

    recipe: str
    family: str
    tokenizer: str
    loads_with: str
    rows: tuple[tuple[str, str], ...]


def write_left_card(
    card: LeftCard, model: Any, tokenizer: Any, run: Mapping[str, Any], reader: ExactReader
) -> str:
    """Measure the model and describe it in Markdown.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
        run: steps, seed, minutes, documents, examples, and files (the folder).
        reader: reads the grammar in the tokenizer's pieces.
    """
    places = draw_next_places(reader, held_out_documents(UNSEEN), EVALUATION_SEED, "Ġ")
    found = next_report(model, tokenizer, places)
    config = model.config
    size = f"{config.n_layer} layers, {config.n_embd} wide, {config.n_head} heads"
    examples = [_line(model, tokenizer, text) for text in EXAMPLES]
    stories = "; ".join(f'"{go_on(model, tokenizer, text)}"' for text in STORIES)
    page = Page(
        recipe=card.recipe,
        family=card.family,
        task="text-generation",
        loads_with=card.loads_with,
        rows=(
            ("Architecture", f"{size}, {config.n_positions} positions"),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        unseen=UNSEEN,
        measured=MEASURED.format(
            loss=found.loss, floor=found.floor, accuracy=found.accuracy, best=found.best_accuracy
        ),
        examples=[*examples, f"- Going on with the likeliest piece: {stories}"],
    )
    return write_page(page, model, run)


def _line(model: Any, tokenizer: Any, text: str) -> str:
    said = say_next(model, tokenizer, text)
    answers = ", ".join(f"{shown(piece).removesuffix('</w>')} {p:.2f}" for piece, p in said)
    return f"- {text} ...  \n  {answers}"
