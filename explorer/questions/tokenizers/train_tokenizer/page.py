"""What tokenizers learned: the text cut by each, what size is worth, every piece in its order."""

from collections.abc import Iterator
from pathlib import Path

from explorer.api import Table
from explorer.files.typed_paths import free_folder
from explorer.questions.tokenizers.side_by_side.parts import in_numbers, rows
from explorer.questions.tokenizers.side_by_side.question import TOKENIZERS
from explorer.questions.tokenizers.side_by_side.tables import numbers_table
from explorer.questions.tokenizers.train_tokenizer.charts import charts
from explorer.questions.tokenizers.train_tokenizer.options import (
    ALGORITHMS,
    FILE,
    SAVED,
    SHOW,
    START,
    VOCABULARY,
    Algorithm,
)
from explorer.questions.tokenizers.train_tokenizer.question import (
    OPERATION,
    TrainTokenizerResult,
    measures_table,
)
from explorer.questions.tokenizers.train_tokenizer.tables import learnt, moves
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import FAMILIES, write_folder
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import Trained
from explorer.questions.tokenizers.train_tokenizer.wording import (
    ABOUT,
    HOW,
    name_of,
    sized,
    source_said,
    total_said,
)
from explorer.text import N_, Phrase, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page, Run, SavedFile
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, hint, note, section, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit, set_options, toggle_in
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all

NOT_YET = N_(
    "Not trained on this text yet: {algorithms}. With a file of some hundred kilobytes it takes "
    "seconds, with ten megabytes minutes. What was trained is kept."
)
SAVED_HOW = N_(
    "“Save as a folder” writes the tokenizer whose pieces are shown as tokenizer.json, "
    "tokenizer_config.json and a config.json of its kind; transformers' AutoTokenizer opens it, "
    "and so do this program's other pages, by the folder's path."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """What is trained; then the rows, the numbers, the curves and the pieces."""
    result: TrainTokenizerResult = shown.result
    yield note(_(ABOUT))
    yield Chips([*_choices(shown)], title=_("Algorithms"))
    yield from _file(shown)
    yield from _missing(shown)
    for refused in result.refused:
        why = said(refused.why)
        yield warning(_("{name}: {why}", name=name_of(refused.algorithm), why=why))
    if result.cut is None:
        return
    yield note(source_said(result.source))
    if not result.is_kept:
        yield warning(_("What was trained could not be kept: the next text trains it again."))
    looking = Looking(OPERATION, shown)
    yield from blocks_of(rows(result.cut, Phrase), looking)
    for one in result.trained:
        yield from _too_few(one, round(VOCABULARY.of(shown.asked)))
    yield from blocks_of_all(tuple(in_numbers(result.cut, Phrase)), looking)
    about = _("Solid lines: the text that was trained on; dashed lines: lines kept aside.")
    titled = section(_("By the size of the vocabulary"), about)
    curves = Card((*titled, ChartBlock(charts(result, shown.before), narrowest=CardWidth.WIDE)))
    yield Columns(
        (curves, Card([*_learnt(shown, result)])), CardWidth.WIDE, above=Space.SECTION, framed=False
    )
    yield hint(_(SAVED_HOW), above=Space.APART)
    yield from _saved(shown)


def _choices(shown: Shown) -> Iterator[Chip]:
    """A switch for each algorithm."""
    held = ALGORITHMS.of(shown.now)
    for one in Algorithm:
        name = name_of(one)
        act = toggle_in(shown.now, ALGORITHMS, [one.value], _("train {name}", name=name))
        yield Chip(name, act, key=("algorithm", one.value), pressed=one.value in held)


def _file(shown: Shown) -> Iterator[Block]:
    """Which file is trained on, and the way back."""
    path = FILE.of(shown.now)
    if path:
        act = shown.setting(FILE, "", _("train on the small world"))
        title = _("File: {name}", name=path.replace("\\", "/").rpartition("/")[2])
        yield Chips([Chip(_("Use the small world's text"), act, key="world")], title=title)


def _missing(shown: Shown) -> Iterator[Block]:
    """What was not trained yet, and the button."""
    missing = shown.result.missing
    if not missing:
        return
    if shown.is_begun:
        yield Text(_("Tokenizers are being trained …"))
        return
    yield Text(_(NOT_YET, algorithms=", ".join(map(name_of, missing))))
    yield Chips([Chip(_("Train"), Run(), key="run")])


def _too_few(one: Trained, asked: int) -> Iterator[Block]:
    """Where a text yields fewer pieces than there is room for."""
    if len(one.pieces) < asked:
        yield note(
            _(
                "{name}: the text yields {count} pieces, and no more are to be found in it.",
                name=name_of(one.algorithm),
                count=len(one.pieces),
            )
        )


def _learnt(shown: Shown, result: TrainTokenizerResult) -> Iterator[Block]:
    """Every piece of the tokenizer that is chosen, in the order in which it was learnt."""
    one = chosen(shown)
    unigram = one.algorithm is Algorithm.UNIGRAM
    yield heading(_("Pieces, the likeliest first") if unigram else _("Merges in their order"))
    if len(result.trained) > 1:
        yield Chips([*_whose(shown, one)])
    yield Text(sized(one), "strong")
    yield note(_(HOW[one.algorithm]))
    if unigram:
        yield note(total_said(one))
    yield learnt(one, shown)
    yield Chips([*moves(one, shown)])


def _whose(shown: Shown, one: Trained) -> Iterator[Chip]:
    for other in shown.result.trained:
        name = name_of(other.algorithm)
        values = {
            SHOW.key: SHOW.written(other.algorithm.value),
            START.key: None,
        }
        act = set_options(shown.now, values, _("show the pieces of {name}", name=name))
        key = ("show", other.algorithm.value)
        yield Chip(name, act, other is one, key=key)


def chosen(shown: Shown) -> Trained:
    """The tokenizer whose pieces are shown: the first one where the chosen one was not trained."""
    trained: tuple[Trained, ...] = shown.result.trained
    wanted = shown.value(SHOW)
    return next((one for one in trained if one.algorithm.value == wanted), trained[0])


def _saved(shown: Shown) -> Iterator[Block]:
    """Where the last one lies that was saved, and the way to other pages."""
    folder = SAVED.of(shown.now)
    if not folder:
        return
    yield hint(_("Saved in {folder}.", folder=folder))
    held = TOKENIZERS.of(shown.now)
    if folder not in held:
        names = [*(held or FAMILIES), folder]
        act = shown.setting(TOKENIZERS, tuple(names), _("lay it side by side"))
        title = _("Add it to “Tokenizers side by side”")
        yield Chips([Chip(title, act, key="side_by_side")])
    else:
        yield hint(_("It is a row of “Tokenizers side by side”."))


class Folder:
    """The folder while it is written, which is done at once."""

    def __init__(self, shown: Shown, path: Path) -> None:
        self._trained = chosen(shown)
        self._folder = free_folder(path)

    def take(self, _part: object) -> None:
        """There are no parts."""

    def finish(self) -> None:
        """Write it."""
        write_folder(self._trained, self._folder)

    def abandon(self) -> None:
        """Nothing is left behind where it can't be written."""


def file_name(shown: Shown) -> str:
    """What is suggested: the algorithm, the text and the size."""
    one = chosen(shown)
    text = Path(shown.result.source.name).stem or "small-world"
    return f"{one.algorithm.value.replace('_', '-')}-{text[:40]}-{len(one.pieces)}"


def remember(shown: Shown, path: Path) -> Edit:
    """Keep where it lies."""
    return shown.setting(SAVED, str(path), _("save a tokenizer"))


def measures(shown: Shown) -> Table:
    """One row a tokenizer, a size and a part of the text."""
    return measures_table(shown.result)


def cut_numbers(shown: Shown) -> Table | None:
    """One row a tokenizer: what is counted in the text of the window."""
    cut = shown.result.cut
    return None if cut is None else numbers_table(cut)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    looks_first=True,
    table_name=N_("merges and pieces"),
    other_tables={N_("by size"): measures, N_("numbers"): cut_numbers},
    saves=(
        SavedFile(
            "saveTokenizer",
            N_("Save as a folder"),
            N_("Save the tokenizer whose pieces are shown as a folder that transformers opens"),
            N_("Folder (*)"),
            file_name,
            Folder,
            when=lambda shown: bool(shown.result.trained),
            opens=True,
            then=remember,
        ),
    ),
)
