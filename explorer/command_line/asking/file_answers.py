"""What came of the sentences of a file, as `over` prints it: for people, and as JSON."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.question import Pool, Table
from explorer.text import _

if TYPE_CHECKING:
    from explorer.files_of_sentences.rows import ResultsReader, RowGroup
    from explorer.questions.many.file_of_sentences.question import FileOfSentencesResult


def pooled_of(
    result: "FileOfSentencesResult", threshold: float | None = None
) -> tuple[Mapping[str, Any], Table | None]:
    """What the answers say together, where they say more than their means; else nothing.

    Args:
        result: The sentences of a file.
        threshold: Of a verdict, where the answers are verdicts; None for the usual one.

    Returns:
        Named numbers, and rows where there are any, as the points of a curve.
    """
    found = _pooled_in(result, None)
    if found is None:
        return {}, None
    pool, gathered = found
    rows = pool.table(gathered) if pool.table is not None else None
    return pool.told_of(gathered, threshold), rows


def told_of(
    result: "FileOfSentencesResult", threshold: float | None, by: str = ""
) -> Mapping[str, Any]:
    """One model as --json has it: what it answered, and what its answers say together.

    Raises:
        UserMistake: There is no column of the name that rows are grouped by.
    """
    from explorer.serialise import to_builtins

    content: dict[str, Any] = to_builtins(result)
    pooled, curve = pooled_of(result, threshold)
    if pooled:
        content["pooled"] = pooled
    if curve is not None:
        content["pooled_table"] = to_builtins(curve)
    groups = groups_of(result, by, threshold)
    if groups is not None:
        content["groups"] = groups.plain()
    return content


def told_together(
    reader: "ResultsReader",
    results: "Sequence[FileOfSentencesResult]",
    models: Sequence[Mapping[str, Any]],
) -> Mapping[str, Any]:
    """Many models: the sums, and each as it is told alone."""
    done, failed = reader.counts()
    places = [str(one.path) for _name, one in reader.each]
    return {
        "source": results[0].source,
        "operation": results[0].operation,
        # Side by side, a sentence is one row.
        "count": sum(one.count for one in results[: len(results) // len(places)]),
        "done": done,
        "failed": failed,
        "results": places[0] if len(places) == 1 else places,
        "columns": reader.columns,
        "models": models,
    }


def groups_of(
    result: "FileOfSentencesResult", by: str, threshold: float | None = None
) -> Table | None:
    """A row for each that a column of the file, or of the answers, holds; None without a column.

    Args:
        result: The sentences of a file.
        by: The column's name.
        threshold: Of a verdict, where the answers are verdicts.

    Returns:
        How many rows have it and how many of them failed, what the answers say together where they
        say more than their means, and the mean of every column of numbers.

    Raises:
        UserMistake: There is no such column.
    """
    from explorer.api.question import UserMistake
    from explorer.questions.many.file_of_sentences.question import kept_columns, results_of
    from explorer.text import N_

    if not by:
        return None
    reader = results_of(result)
    if by not in reader.columns:
        raise UserMistake(
            N_('The rows have no column "{wanted}".'),
            N_("Their columns are {names}."),
            wanted=by,
            names=", ".join(reader.columns),
        )
    groups = reader.groups(by)
    hidden = kept_columns(result)
    found = [_pooled_in(result, (by, one.value)) for one in groups]
    pooled = [{} if one is None else one[0].told_of(one[1], threshold) for one in found]
    together = [*dict.fromkeys(name for some in pooled for name in some)]
    means = [name for name in _mean_columns(groups) if name not in hidden]
    rows = tuple(
        (
            *(one.value, one.count, one.failed),
            *(some.get(name) for name in together),
            *(one.means.get(name) for name in means),
        )
        for one, some in zip(groups, pooled, strict=True)
    )
    return Table((by, "count", "failed", *together, *means), rows)


def _mean_columns(groups: "Sequence[RowGroup]") -> list[str]:
    return [*dict.fromkeys(name for one in groups for name in one.means)]


def _pooled_in(
    result: "FileOfSentencesResult", where: tuple[str, str] | None
) -> "tuple[Pool, Any] | None":
    """The answers of a group, or all of them, gathered; None where they say no more together."""
    from explorer.questions.former_names import question_named
    from explorer.questions.many.file_of_sentences.question import results_of

    question = question_named(result.operation)
    if question is None or question.pool is None:
        return None
    pool = question.pool
    gathered = pool.gather(results_of(result).cells(pool.columns, where))
    return None if gathered is None else (pool, gathered)


def show(
    results: "Sequence[FileOfSentencesResult]",
    places: Sequence[Path],
    titles: Mapping[str, str],
    threshold: float | None = None,
    by: str = "",
) -> None:
    """Print for a person: how many, each model's means, what they say together, what failed.

    Args:
        results: One of each model.
        places: The files with the rows.
        titles: What people read for the models, by their ids.
        threshold: Of a verdict, where the answers are verdicts; None for the usual one.
        by: A column whose values make groups; "" for none.
    """
    from explorer.printing.heads import print_models
    from explorer.printing.tables import print_table
    from explorer.questions.many.file_of_sentences.question import results_of
    from explorer.questions.many.file_of_sentences.wording import not_counted_said, read_as

    read = read_as(results[0])
    if read:
        print(read)

    for one in results:
        print_models({"model": one.model}, titles)
        print(
            _(
                "{operation} of {source}: {done} of {count} sentences",
                operation=one.operation,
                source=one.source,
                done=one.done,
                count=one.count,
            )
        )
        spreads = ((_title(s.column, one.operation), s) for s in one.spreads)
        rows = tuple((title, s.mean, s.minimum, s.maximum) for title, s in spreads)
        if rows:  # none where every sentence failed
            columns = ("", _("mean"), _("minimum"), _("maximum"))
            print_table(Table(columns, rows), indent="  ")
        apart = results_of(one).not_counted()
        if apart:
            print(not_counted_said(apart))
        pooled, curve = pooled_of(one, threshold)
        if pooled:
            print(_("all sentences together:"))
            cells = tuple((_title(name, one.operation), cell) for name, cell in pooled.items())
            print_table(Table(("", " "), cells), indent="  ")
        if curve is not None and curve.rows:
            print_table(curve, indent="  ")
        groups = groups_of(one, by, threshold)
        if groups is not None:
            print(_("by {column}:", column=by))
            heads = (by, *(_title(name, one.operation) for name in groups.columns[1:]))
            print_table(Table(heads, groups.rows), indent="  ")
    print("\n".join(_("rows: {place}", place=place) for place in places))
    if results[0].left_out:
        sys.stderr.write(
            _("{left_out} more sentences were left out.\n", left_out=results[0].left_out)
        )
    for one in results:
        if one.failed:
            title = titles.get(one.model.id, one.model.name)
            who = _(" by {model}", model=title) if len(results) > 1 else ""
            sys.stderr.write(_("{failed} sentences failed{by}:\n", failed=one.failed, by=who))
            for number, text, why in one.failures:
                sys.stderr.write(
                    _("  line {number}: {text}: {why}\n", number=number, text=text[:60], why=why)
                )


def _title(column: str, question: str) -> str:
    """What a column is called, in the reader's language."""
    from explorer.questions.many.file_of_sentences.titles import column_said

    return column_said(column, question).replace("_", " ")
