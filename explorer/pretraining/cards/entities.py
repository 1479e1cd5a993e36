"""The card of a miniature that reads entities: both floors, and what a wrong entity does."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.numerics.triples import Triples
from explorer.objectives.knowledge import transe
from explorer.objectives.knowledge.entity_autoencoder import NONE
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.world import graph

WIDTH: Final = 98
SAMPLES: Final = 600
SEED: Final = 11
USED: Final = ("used", "a", graph.BLANK, ".")

UNTRAINED: Final = ("bert.pooler.", "cls.seq_relationship.")
"""No pair of texts is ever shown: without weights in the file nobody asks about one."""

OPENING: Final = """\
{family} with {parameters:,} parameters that reads entities of a knowledge graph beside the words.
The graph, in `kg_embed`, knows what each of its people does; the text it was trained on never
says so, and everybody of a first name does everything there. It loads with {loads_with}."""

MEASURED: Final = """\
What stands at the mask of "Anna used a [MASK]." is asked of everybody of the graph whose job has
such a tool, and the loss is the mean over all words that may stand there, by their exact chance.
The floor is the entropy of that chance: nobody can do better who knows the same. Without an
entity it is that of a tool of anybody, with it that of a tool of that job. A young person stands
in no training text, so what is known of one comes from the graph alone.

| | loss | floor | above it |
|---|---|---|---|
{rows}

In {samples} drawn sentences of all kinds with one masked word, the loss is {mixed:.3f} with the
entity (floor {mixed_floor:.3f}) and {mixed_without:.3f} without (floor
{mixed_without_floor:.3f}).

Beside the entity of somebody else, of another job, the likeliest word is a tool of that other job
in {moved:.1%} of cases, and one of the right job that the other has not in {stayed:.1%}. The head
for entities names the right one among all {people} people of the same first name, given beside
the name, in {told:.1%} of cases."""

GRAPH: Final = """\
TransE (Bordes et al. 2013) on {facts:,} facts about {entities:,} entities with {relations}
relations: {width} numbers each, L2 distance, margin {margin:g}, heads and tails corrupted half of
the time each, {passes} passes. Of all entities put in the place of the head or the tail, other
true ones left out, the right one has mean rank {mean:.2f}, and is among the first ten in
{hits:.1%} of cases."""

CLOSING: Final = """\
Seeds are fixed, so graph, vectors, texts and what is hidden come out the same; weights do too on
the same processor and version of torch. `curve.json` holds the training curve."""


@dataclass(frozen=True, slots=True)
class LossAndFloor:
    """A loss and what it could be at best, in nats.

    Attributes:
        loss: The model's.
        floor: The best one.
    """

    loss: float
    floor: float

    @property
    def above(self) -> float:
        """The share of the floor that is lost besides."""
        return self.loss / self.floor - 1.0


class AskedMiniature:
    """A miniature that is asked about sentences of the graph's people.

    Args:
        model: With its vectors.
        tokenizer: In whose pieces all words are whole.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.numbers: Mapping[str, int] = tokenizer.get_vocab()

    def states(self, rows: list[tuple[tuple[str, ...], int]]) -> Any:
        """States of sentences of one length, each with the number of its entity or NONE."""
        import torch

        special = {graph.BLANK: self.tokenizer.mask_token_id}
        ids = [
            [
                self.tokenizer.cls_token_id,
                *(special.get(word, self.numbers.get(word.lower(), 0)) for word in words),
                self.tokenizer.sep_token_id,
            ]
            for words, _ in rows
        ]
        entities = torch.full((len(ids), len(ids[0])), NONE)
        entities[:, 1] = torch.tensor([number for _, number in rows])
        with torch.inference_mode():
            given = {"input_ids": torch.tensor(ids), "entity_ids": entities}
            return self.model.bert(**given).last_hidden_state

    def log_chances(self, words: tuple[str, ...], entities: list[int]) -> Any:
        """Log-probabilities at the blank, with each of some entities in turn."""
        import torch

        states = self.states([(words, number) for number in entities])
        with torch.inference_mode():
            scores = self.model.cls.predictions(states[:, 1 + words.index(graph.BLANK)])
        return scores.log_softmax(-1).numpy()

    def cross_entropy(self, row: Any, chances: Mapping[str, float]) -> float:
        """The expected loss where words come with these chances."""
        return -math.fsum(p * float(row[self.numbers[word.lower()]]) for word, p in chances.items())


def mean(of: Iterable[float]) -> float:
    """The mean of some numbers."""
    return float(np.mean(list(of)))


def used(asked: AskedMiniature, *, young: bool, given: bool) -> LossAndFloor:
    """The loss at "Anna used a [MASK].", of everybody of an age whose job allows that sentence.

    Args:
        asked: The miniature.
        young: Of those who are in no training text.
        given: With the person's entity.
    """
    losses, floors = [], []
    for number, person in enumerate(graph.people()):
        if person.young != young or not uses_one(person.job):
            continue
        sentence = (person.name, *USED)
        # Without the entity anybody may be meant; each then counts as much as they say this.
        chances = graph.words_at(sentence, person.job if given else None)
        (row,) = asked.log_chances(sentence, [number if given else NONE])
        losses.append(asked.cross_entropy(row, chances))
        floors.append(graph.entropy(chances))
    return LossAndFloor(mean(losses), mean(floors))


def uses_one(job: str) -> bool:
    """Whether somebody of a job uses a tool that takes "a"."""
    return any(len(words) == 5 and words[1:3] == ("used", "a") for words in graph.sentences(job))


def of_all_kinds(asked: AskedMiniature, *, given: bool) -> LossAndFloor:
    """Drawn sentences with one masked word that is no name."""
    rng = np.random.default_rng(SEED)
    numbers = {one.id: number for number, one in enumerate(graph.people())}
    losses, floors = [], []
    for _ in range(SAMPLES):
        said = graph.draw(rng, young=bool(rng.integers(2)))
        place = int(rng.integers(1, len(said.words)))
        sentence = (*said.words[:place], graph.BLANK, *said.words[place + 1 :])
        chances = graph.words_at(sentence, said.person.job if given else None)
        (row,) = asked.log_chances(sentence, [numbers[said.person.id] if given else NONE])
        losses.append(asked.cross_entropy(row, chances))
        floors.append(graph.entropy(chances))
    return LossAndFloor(mean(losses), mean(floors))


def moved_by_another(asked: AskedMiniature) -> tuple[float, float]:
    """How often the best word is one of the other job's alone, and of the right job's alone."""
    rng = np.random.default_rng(SEED)
    some = [(n, one) for n, one in enumerate(graph.people()) if uses_one(one.job)]
    moved = stayed = count = 0
    words = sorted(asked.numbers, key=asked.numbers.__getitem__)
    for _ in range(SAMPLES):
        (_, right), (number, other) = (some[int(rng.integers(len(some)))] for _ in range(2))
        if right.job == other.job:
            continue
        count += 1
        sentence = (right.name, *USED)
        (row,) = asked.log_chances(sentence, [number])
        best = words[int(row.argmax())]
        theirs = graph.words_at(sentence, other.job)
        moved += best in theirs
        stayed += best not in theirs and best in graph.words_at(sentence, right.job)
    return moved / count, stayed / count


def told_among_namesakes(asked: AskedMiniature) -> float:
    """How often the head for entities names who was given, among all of the same first name."""
    import torch

    people = graph.people()
    right = []
    for name in graph.NAMES:
        same = [number for number, one in enumerate(people) if one.name == name]
        states = asked.states([((name, *USED), number) for number in same])
        with torch.inference_mode():
            vectors = asked.model.bert.vectors(torch.tensor(same))
            logits = asked.model.cls.predictions_ent(states[:, 1], vectors)
        right += (logits.argmax(-1) == torch.arange(len(same))).tolist()
    return mean(right)


def _filled(text: str) -> str:
    """Paragraphs in lines of one length; tables as they are."""
    return "\n\n".join(
        one if one.startswith("|") else textwrap.fill(" ".join(one.split()), WIDTH)
        for one in text.split("\n\n")
    )


def entities_page(
    card: FamilyCard,
    model: Any,
    tokenizer: Any,
    triples: Triples,
    vectors: transe.Vectors,
    passes: int,
) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: What is said of the family.
        model: The weights as they were written, with the vectors as they were written.
        tokenizer: Its tokenizer.
        triples: The graph.
        vectors: What TransE made of it.
        passes: How often it saw the graph.
    """
    asked = AskedMiniature(model, tokenizer)
    rows = [
        (said, used(asked, young=young, given=given))
        for said, young, given in (
            ("without an entity", False, False),
            ("with it", False, True),
            ("with it, of young people", True, True),
        )
    ]
    with_it, without = of_all_kinds(asked, given=True), of_all_kinds(asked, given=False)
    moved, stayed = moved_by_another(asked)
    ranks = transe.evaluate(vectors, triples, triples.facts)
    measured = MEASURED.format(
        rows="\n".join(
            f"| {said} | {one.loss:.3f} | {one.floor:.3f} | {one.above:.1%} |" for said, one in rows
        ),
        samples=SAMPLES,
        mixed=with_it.loss,
        mixed_floor=with_it.floor,
        mixed_without=without.loss,
        mixed_without_floor=without.floor,
        moved=moved,
        stayed=stayed,
        told=told_among_namesakes(asked),
        people=len(graph.people()) // len(graph.NAMES),
    )
    told = GRAPH.format(
        facts=len(triples),
        entities=len(triples.entities),
        relations=len(triples.relations),
        width=vectors.entities.shape[1],
        margin=transe.MARGIN,
        passes=passes,
        mean=ranks.mean,
        hits=ranks.hits(),
    )
    config = model.config
    size = (
        f"{config.num_hidden_layers} layers, {config.hidden_size} wide,"
        f" {config.num_attention_heads} heads, {tokenizer.model_max_length} positions; entities"
        f" {config.entity_size} wide, {config.entity_heads} heads"
    )
    own = {name: one.numel() for name, one in model.named_parameters()}
    kept = sum(count for name, count in own.items() if not name.startswith(UNTRAINED))
    parameters = (
        f"{sum(own.values()):,}, of which the files hold {kept:,}: they leave out the pooler and"
        " the head for pairs of sentences, which were not trained"
    )
    return MiniaturePage(
        task="fill-mask",
        rows=(
            ("Size", size),
            ("Parameters", parameters),
            ("Tokenizer", f"{card.tokenizer}, {len(tokenizer):,} pieces"),
            *card.rows,
            ("Text", f"sentences about {len(graph.people()) // 2} of {len(graph.people())} people"),
        ),
        sections=(
            ("Loss beside the floors", _filled(measured)),
            ("Vectors of the graph", _filled(told)),
        ),
        opening=OPENING,
        closing=CLOSING,
        tells_of_text=False,
    )
