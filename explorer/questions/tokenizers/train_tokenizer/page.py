"""What tokenizers learned; curves with the pinned ones, and saving one as a folder."""

from collections.abc import Iterator
from pathlib import Path

from explorer.files.typed_paths import free_folder
from explorer.questions.tokenizers.train_tokenizer import parts
from explorer.questions.tokenizers.train_tokenizer.charts import charts
from explorer.questions.tokenizers.train_tokenizer.options import SAVED, SHOW
from explorer.questions.tokenizers.train_tokenizer.question import QUESTION
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import write_folder
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import TrainedVocabulary
from explorer.questions.tokenizers.train_tokenizer.wording import name_of
from explorer.text import N_, Phrase, _
from explorer.text.lists import one_after_another
from explorer.ui.blocks import (
    Block,
    CardWidth,
    ChartBlock,
    Chip,
    Chips,
    Edit,
    Run,
    SavedFile,
    Shown,
    Text,
    page_of_parts,
)

NOT_YET = N_(
    "Not trained on this text yet: {algorithms}. With a file of some hundred kilobytes it takes "
    "seconds, with ten megabytes minutes. What was trained is kept."
)


def missing(shown: Shown) -> Iterator[Block]:
    """What was not trained yet, and the button."""
    if shown.is_begun:
        yield Text(_("Tokenizers are being trained …"))
        return
    names = one_after_another(map(name_of, shown.result.missing))
    yield Text(Phrase(NOT_YET, algorithms=names).said)
    yield Chips([Chip(_("Train"), Run(), key="run")])


def curves(shown: Shown) -> Iterator[Block]:
    """By the size of the vocabulary."""
    yield ChartBlock(charts(shown.result, shown.before), narrowest=CardWidth.WIDE)


def chosen(shown: Shown) -> TrainedVocabulary:
    """The tokenizer whose pieces are shown."""
    return parts.chosen(shown.result, shown.value(SHOW))


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


PAGE = page_of_parts(
    QUESTION,
    {"missing": missing, "curves": curves},
    draws_pinned=True,
    looks_first=True,
    table_name=N_("merges and pieces"),
    saves=(
        SavedFile(
            "saveTokenizer",
            N_("Save as a folder"),
            N_(
                "Save the tokenizer whose pieces are shown: tokenizer.json, tokenizer_config.json "
                "and config.json in a folder that transformers' AutoTokenizer opens"
            ),
            N_("Folder (*)"),
            file_name,
            Folder,
            when=lambda shown: bool(shown.result.trained),
            opens=True,
            then=remember,
        ),
    ),
)
