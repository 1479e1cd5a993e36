"""A row of the table of models: what its columns are, and where each cell is from.

Window, command line, CSV and JSON show these columns and have none of their own. A cell is empty
where nobody has measured, counted or published what it would say.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Cell, Question, Table, TableColumn, column
from explorer.choosing.asked import asked_of
from explorer.choosing.room import fitting
from explorer.choosing.times import SentenceTime, is_of, latest
from explorer.published.literature import (
    PublishedCost,
    PublishedScores,
    ScoreTable,
    score_tables,
    training_costs,
)
from explorer.text import N_, Phrase, said
from explorer.text.formatting.numbers import decimal, percent, significant
from explorer.text.formatting.quantities import in_bytes, in_words, measured, roughly
from explorer.text.lists import one_after_another
from explorer.text.phrase import parts_of

WHERE: Mapping[Source, str] = {
    Source.BUNDLED: N_("in the program"),
    Source.FOLDER: N_("in a folder"),
    Source.CACHE: N_("on this computer"),
    Source.HUB: N_("to download"),
    Source.CONFIG: N_("architecture only"),
}
WORLDS: Mapping[tuple[str, ...], str] = {
    ("en",): N_("the small world, in English"),
    ("en", "ko"): N_("the small world, in English and Korean"),
    ("korean",): N_("a small world, in Korean alone"),
}
NOTHING_FITS = N_("nothing")
YES = N_("yes")
AS_ROLE = N_("as {role}")
NO = N_("no")
ON = N_("{dtype} on {device}")
SCATTERED = N_("{dtype} on {device}, but the runs scatter")
BUSY = N_("{dtype} on {device}, while other programs were at work: measure it again")


def _said_of(known: Mapping[Source, str]) -> Callable[[str], str]:
    return lambda cell: said(known[Source(cell)])


def _in_exponents(value: float) -> str:
    return significant(value, 3)


def _share(value: float) -> str:
    return percent(value, 1)


def _score(value: float) -> str:
    return decimal(value, 1)


@dataclass(frozen=True, kw_only=True)
class ModelRow:
    """What is known of a model that one may choose; None for what nobody has said or measured.

    The fields are the columns.
    """

    model: str = column(N_("model"), tip=N_("A click on a title sorts by it."))
    id: str = column(N_("id"), key=True, tip=N_("By which commands and scripts call it."))
    asked: str | None = column(
        N_("can be asked"),
        tip=N_("Whether it can be asked the question in front, by the heads that its files hold."),
    )
    why_not: str | None = column(
        N_("why not"), tip=N_("What it lacks to be asked the question in front.")
    )
    parameters: int | None = column(
        N_("parameters"),
        written=in_words,
        tip=N_("Counted in its files, tied ones once; of what is to be downloaded, as published."),
    )
    download: int | None = column(
        N_("weights file"), written=in_bytes, tip=N_("What lies on the disk, or is downloaded.")
    )
    memory: int | None = column(
        N_("memory"), written=in_bytes, tip=N_("For its weights as float32.")
    )
    fits: str | None = column(
        N_("fits as"),
        tip=N_("The widest number type for which there is room in the memory that is free now."),
    )
    free: int | None = column(
        N_("free memory"), written=in_bytes, tip=N_("When the table was made.")
    )
    seconds: float | None = column(
        N_("time"),
        written=measured,
        tip=N_(
            "The median of one model's runs over one sentence on this machine. It is measured on "
            "demand alone: ticked models, or those that are loaded."
        ),
        default=None,
    )
    measured_as: str | None = column(
        N_("measured as"),
        tip=N_("The number type and the device that the time is of."),
        default=None,
    )
    measured_tokens: int | None = column(
        N_("tokens"), tip=N_("That the measured sentence is to it."), default=None
    )
    measured_lower: float | None = column(
        N_("lower quartile"),
        written=measured,
        tip=N_("A quarter of the runs were quicker."),
        default=None,
    )
    measured_upper: float | None = column(
        N_("upper quartile"),
        written=measured,
        tip=N_("A quarter of the runs were slower."),
        default=None,
    )
    measured_fastest: float | None = column(
        N_("quickest run"),
        written=measured,
        tip=N_("What the machine can do when nothing disturbs it."),
        default=None,
    )
    measured_on: str | None = column(
        N_("measured on"),
        tip=N_("The day."),
        default=None,
    )
    family: str | None = column(N_("family"), tip=N_("The plugin that knows how it is built."))
    where: str = column(
        N_("location"),
        written=_said_of(WHERE),
        tip=N_("In the program, on this computer, or published and to be downloaded."),
    )
    licence: str | None = column(N_("licence"), tip=N_("Of what is published."))
    languages: str | None = column(N_("languages"), tip=N_("As its authors say."))
    heads: str | None = column(
        N_("heads"), tip=N_("Those whose weights are in its files: what it can be asked by itself.")
    )
    questions: int | None = column(
        N_("questions"), tip=N_("How many of the program's questions it answers.")
    )
    longest: int | None = column(N_("longest input"), tip=N_("In tokens, special ones included."))
    note: str | None = column(N_("about it"), tip=N_("What sets it apart."))
    trained_on: str | None = column(
        N_("trained on"), tip=N_("Of what was trained with this program: whose text it read.")
    )
    steps: int | None = column(
        N_("training steps"), tip=N_("Of what was trained with this program."), default=None
    )
    training_seconds: float | None = column(
        N_("training took"),
        written=roughly,
        tip=N_("By the clock, in one thread; of what was trained with this program."),
        default=None,
    )
    multiply_adds: float | None = column(
        N_("multiply-adds"),
        written=_in_exponents,
        tip=N_("Of its training, forwards and backwards, as its run counted them."),
        default=None,
    )
    right: float | None = column(
        N_("found words"),
        written=_share,
        tip=N_(
            "How often the likeliest piece is the hidden one, in texts of the small world that it "
            "was not trained on, as its card has it: of what was trained with this program."
        ),
        default=None,
    )
    right_best: float | None = column(
        N_("at best"),
        written=_share,
        tip=N_("How often it would be, of whoever knows the grammar that writes those texts."),
        default=None,
    )
    flops: float | None = column(
        N_("training FLOPs"),
        written=_in_exponents,
        tip=N_("As a paper prints them: papers count differently, so compare those of one paper."),
    )
    flops_source: str | None = column(N_("FLOPs: source"), tip=N_("The paper and its table."))
    mnli: float | None = column(
        N_("MNLI"),
        written=_score,
        tip=N_(
            "As a paper prints it for the model of this name, trained anew for the paper's "
            "comparison: it was not measured of these files."
        ),
    )
    sst2: float | None = column(N_("SST-2"), written=_score, tip=N_("Likewise, of films' reviews."))
    squad2: float | None = column(
        N_("SQuAD 2.0 F1"), written=_score, tip=N_("Likewise, of answers found in passages.")
    )
    scores_source: str | None = column(
        N_("scores: source"), tip=N_("The paper, its table, and what the model is called there.")
    )

    @property
    def is_rough(self) -> bool:
        """Whether its time may be of more than the model, as `measured_as` says."""
        return self.measured_as is not None and parts_of(self.measured_as)[0][0] != ON


OF_A_QUESTION = frozenset({"asked", "why_not"})
"""Columns that mean something where a question is in front alone."""


def rows_of(
    checkpoints: Iterable[Checkpoint],
    times: Iterable[SentenceTime],
    free: int,
    question: Question[Any, Any] | None = None,
) -> tuple[ModelRow, ...]:
    """The table's rows, in the order of the checkpoints.

    Args:
        checkpoints: The models.
        times: Those that were measured on this machine.
        free: Bytes of memory that can be had.
        question: The one in front; None for none.
    """
    of = _Looked(latest(times), _scores(), _costs(), free, question)
    return tuple(_row(one, of) for one in checkpoints)


def table_of(rows: Iterable[ModelRow], *, asked: bool) -> Table:
    """The rows for files and programs.

    Args:
        rows: Of the table.
        asked: With the columns that are about a question.
    """
    whole_table = Table.of(ModelRow, rows)
    names = [one for one in whole_table.columns if asked or one not in OF_A_QUESTION]
    return chosen_columns(whole_table, names)


def chosen_columns(table: Table, names: Iterable[str]) -> Table:
    """Some columns of a table, in this order."""
    wanted = tuple(names)
    places = [table.columns.index(one) for one in wanted]
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    return Table(wanted, rows, table.about)


def in_order(table: Table, name: str, *, falls: bool = False) -> list[int]:
    """The numbers of the rows as they are sorted by a column; what is empty comes last.

    Args:
        table: The rows.
        name: Of the column.
        falls: The greatest comes first.
    """
    about = dict(zip(table.columns, table.described(), strict=True))[name]
    keys = [sort_key(about, cell) for cell in table.column(name)]
    there = [n for n, key in enumerate(keys) if key is not None]
    there.sort(key=lambda n: keys[n] or (0.0, ""), reverse=falls)
    return [*there, *(n for n, key in enumerate(keys) if key is None)]


def sort_key(about: TableColumn, cell: Cell) -> tuple[float, str] | None:
    """By what a cell is sorted: numbers as they are, words as they are read; None for nothing."""
    if cell is None:
        return None
    if isinstance(cell, int | float):
        return float(cell), ""
    return 0.0, about.said(cell).casefold()


@dataclass(frozen=True)
class _Looked:
    """What rows are looked up in, by the ids of checkpoints."""

    times: Mapping[str, SentenceTime]
    scores: Mapping[str, tuple[ScoreTable, PublishedScores]]
    costs: Mapping[str, PublishedCost]
    free: int
    question: Question[Any, Any] | None


def _row(one: Checkpoint, of: _Looked) -> ModelRow:
    time = of.times.get(one.id)
    time = time if time is not None and is_of(time, one) else None
    cost = of.costs.get(one.id)
    table, scores = of.scores.get(one.id, (None, None))
    held = [Phrase(head.title) for head in one.heads if head.present]
    asked, why_not = _asked(of.question, one)
    return ModelRow(
        model=one.title,
        id=one.id,
        family=one.family or None,
        where=one.source.value,
        asked=asked,
        why_not=why_not,
        parameters=one.parameters,
        download=one.size_bytes,
        memory=one.weights_bytes.get("float32"),
        fits=_fits(one, of.free),
        free=of.free,
        **_measured(time),
        licence=Phrase(one.licence) if one.licence else None,
        languages=Phrase(one.languages) if one.languages else None,
        heads=one_after_another(held) or None,
        questions=len(one.operations) if one.ports else None,
        longest=one.max_length,
        note=one.note or None,
        trained_on=_corpus(one),
        **_spent(one),
        flops=None if cost is None else cost.flops,
        flops_source=None if cost is None else cost.source,
        mnli=_score_of(table, scores, "MNLI"),
        sst2=_score_of(table, scores, "SST-2"),
        squad2=_score_of(table, scores, "SQuAD 2.0 F1"),
        scores_source=_source_said(table, scores),
    )


def _measured(time: SentenceTime | None) -> Mapping[str, Any]:
    if time is None:
        return {}
    how = BUSY if time.was_busy else ON if time.is_steady else SCATTERED
    on = Phrase(how, dtype=time.dtype, device=time.device)
    return {
        "seconds": time.seconds,
        "measured_as": on,
        "measured_tokens": time.tokens,
        "measured_lower": time.lower,
        "measured_upper": time.upper,
        "measured_fastest": time.fastest,
        "measured_on": time.day,
    }


def _spent(one: Checkpoint) -> Mapping[str, Any]:
    if one.training is None:
        return {}
    return {
        "steps": one.training.steps,
        "training_seconds": one.training.seconds,
        "multiply_adds": one.training.multiply_adds,
        "right": one.training.right,
        "right_best": one.training.best,
    }


def _fits(one: Checkpoint, free: int) -> str | None:
    if not one.weights_bytes:
        return None
    found = fitting(one, free)
    return Phrase(found[0] if found else NOTHING_FITS)


def _asked(question: Question[Any, Any] | None, one: Checkpoint) -> tuple[str | None, str | None]:
    """Whether, and in which role; and why not."""
    if question is None or not question.roles:
        return None, None
    found = asked_of(question, one)
    if not found.roles:
        return Phrase(NO), found.why
    if len(question.roles) == 1:
        return Phrase(YES), None
    roles = one_after_another(Phrase(role) for role in found.roles)
    return Phrase(AS_ROLE, role=roles), None


def _corpus(one: Checkpoint) -> str | None:
    if one.world in WORLDS:
        return Phrase(WORLDS[one.world])
    return (one.training.corpus or None) if one.training is not None else None


def _scores() -> Mapping[str, tuple[ScoreTable, PublishedScores]]:
    """Published scores, by the checkpoint that is called so; the latest table counts."""
    return {row.of: (table, row) for table in score_tables() for row in table.rows if row.of}


def _costs() -> Mapping[str, PublishedCost]:
    return {one.of: one for one in training_costs()}


def _score_of(
    table: ScoreTable | None, scores: PublishedScores | None, measure: str
) -> float | None:
    if table is None or scores is None or measure not in table.columns:
        return None
    return scores.scores[table.columns.index(measure)]


def _source_said(table: ScoreTable | None, scores: PublishedScores | None) -> str | None:
    return None if table is None or scores is None else f"{table.source}: {scores.model}"
