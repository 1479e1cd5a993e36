"""A vocabulary in words: what pieces are, their scripts, and where they were counted."""

import unicodedata
from collections.abc import Iterator, Mapping

from explorer.questions.tokenizers.algorithms import algorithm_said
from explorer.questions.tokenizers.vocabulary.question import (
    SMALL_WORLD,
    Counted,
    NearestPieces,
    VocabularyResult,
    VocabularyRow,
)
from explorer.text import N_, NN_, Phrase, _, ngettext, verbatim
from explorer.text.formatting import scripts
from explorer.text.formatting.numbers import percent
from explorer.text.pieces import visible

PLACES: Mapping[str, str] = {
    "word": N_("whole word or sign"),
    "continues": N_("continues a word"),
    "begins": N_("begins a longer word"),
    "bytes": N_("bytes of a character"),
    "special": N_("special"),
    "added": N_("added"),
    "unused": N_("unused slot"),
}
SCRIPTS: Mapping[str, str] = {
    "digits": N_("digits"),
    "punctuation": N_("punctuation"),
    "symbols": N_("symbols"),
    "emoji": N_("emoji"),
    "spaces": N_("spaces"),
    "bytes": N_("bytes"),
    "mixed": N_("mixed"),
}
"""What is said of pieces without letters of one script; names of scripts stay as Unicode's."""
MARKS: Mapping[str, str] = {
    "##": N_("“##” comes before a piece that continues a word: “##ing” is shown as “…ing”."),
    "Ġ": N_(
        "“Ġ” is how a space is written: “Ġthe” begins a word, and letters without it "
        "continue one, “…ing”, or begin a text. Other letters that look odd are "
        "bytes; those that are no whole character are shown by their digits."
    ),
    "▁": N_("“▁” is a space: “▁the” begins a word, and letters without it continue one, “…ing”."),
    "</w>": N_("“</w>” ends a word; a piece without it begins a longer one, “gard…”."),
}


def place_said(place: str) -> str:
    """What a piece is in a word."""
    return _(PLACES[place])


def script_said(script: str) -> str:
    """A script's name, or what stands for one."""
    return _(SCRIPTS[script]) if script in SCRIPTS else scripts.named(script)


def written(row: VocabularyRow) -> Phrase:
    """A piece as it is read: spaces and signs that can't be seen as something that can."""
    if row.place == "bytes" and " " not in row.text:
        return Phrase(N_("byte {digits}"), digits=row.text)
    if row.place != "bytes" and (row.script == "spaces" or not row.text.strip()):
        return verbatim(visible(row.text))
    signs = (
        f"U+{ord(one):04X}" if unicodedata.category(one) in ("Cc", "Cf", "Co", "Cn") else one
        for one in row.text
    )
    return verbatim("".join(signs))


def named(row: VocabularyRow) -> str:
    """What finds a piece again: parts of words as they are shown, others as they are spelled."""
    return row.text if row.place in ("continues", "begins", "bytes") else row.piece


def about(row: VocabularyRow) -> str:
    """All that is known of a piece, a line each."""
    lines = [
        _("Piece: {piece}", piece=row.piece),
        _("Id: {id}", id=str(row.id)),
        place_said(row.place),
        script_said(row.script),
        ngettext("{count} use in the text", "{count} uses in the text", row.uses),
    ]
    return "\n".join(filter(None, lines))


def headline_said(result: VocabularyResult) -> Phrase:
    """Which vocabulary it is."""
    return Phrase(
        N_("{title}  ·  {algorithm}  ·  {count} pieces"),
        title=verbatim(result.title),
        algorithm=algorithm_said(result.algorithm),
        count=result.pieces,
    )


def marks_said(result: VocabularyResult) -> Phrase:
    """How its pieces are written."""
    return Phrase.joined(MARKS[mark] for mark in result.marks if mark in MARKS)


def found_said(result: VocabularyResult) -> Phrase:
    """How many pieces were found."""
    code = NN_("{count} of {all} pieces.", "{count} of {all} pieces.")
    return Phrase(code, count=result.found, all=result.pieces)


def source_said(counted: Counted) -> Phrase:
    """Where pieces were counted."""
    if counted.source == SMALL_WORLD:
        code = NN_(
            "Counted in {count} text of the small world, {pieces} pieces long.",
            "Counted in {count} texts of the small world, {pieces} pieces long.",
        )
        return Phrase(code, count=counted.sentences, pieces=counted.pieces)
    code = NN_(
        "Counted in {count} sentence of {name}, {pieces} pieces long.",
        "Counted in {count} sentences of {name}, {pieces} pieces long.",
    )
    name = verbatim(counted.source)
    return Phrase(code, count=counted.sentences, name=name, pieces=counted.pieces)


def made_from(result: VocabularyResult) -> tuple[str, ...]:
    """Which vocabulary it is, and where its pieces were counted."""
    return f"{headline_said(result).said}.", source_said(result.counted).said


def vectors_said(near: NearestPieces, *, alone: bool) -> Phrase:
    """Which vectors are compared.

    Args:
        near: By one table.
        alone: There is no other table.
    """
    if near.side == "output":
        code = N_("By the output embeddings, {width} wide, a table of their own.")
    elif near.width != near.states_width:
        code = N_(
            "By the input embeddings, {width} wide, before they are projected to the {states} of "
            "the layers."
        )
    elif alone:
        code = N_("By the input embeddings, {width} wide; the model has no other table.")
    else:
        code = N_("By the input embeddings, {width} wide.")
    return Phrase(code, width=near.width, states=near.states_width)


def notes(result: VocabularyResult) -> Iterator[Phrase]:
    """What must be known of the vocabulary besides."""
    counted = result.counted
    if result.rows_more:
        code = NN_(
            "The model has {count} vector more than there are pieces.",
            "The model has {count} vectors more than there are pieces.",
        )
        yield Phrase(code, count=result.rows_more)
    if counted.left_out:
        code = NN_("{count} sentence more was not read.", "{count} sentences more were not read.")
        yield Phrase(code, count=counted.left_out)
    if counted.unknown:
        code = NN_(
            "{count} piece of the text is unknown ({share}).",
            "{count} pieces of the text are unknown ({share}).",
        )
        share = percent(counted.unknown / counted.pieces)
        yield Phrase(code, count=counted.unknown, share=share)
