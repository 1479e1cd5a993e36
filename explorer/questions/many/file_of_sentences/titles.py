"""What the columns of the rows are called on screen; files and scripts have their names."""

from pathlib import PurePath

from explorer.api.question.rows.column_titles import titled
from explorer.files_of_sentences.compared import DIFFERENCE, compared_with_first, parted
from explorer.files_of_sentences.rows import FAILURE, NOT_COUNTED, NUMBER, PAIR, TEXT, UNKNOWN
from explorer.text import N_, Phrase, _, said

BY_WHOM = "{column} · {model}"
OF_EVERY_FILE = {
    NUMBER: N_("line"),
    TEXT: N_("text"),
    PAIR: N_("second text"),
    FAILURE: N_("failure"),
    UNKNOWN: N_("unknown tokens"),
    NOT_COUNTED: N_("not in the means"),
}
"""Titles of the columns that no question brings."""


def column_title(name: str, asked: str) -> Phrase:
    """What a column of the rows is called on screen.

    Args:
        name: In the file of results.
        asked: The name of the question that was asked of every sentence.
    """
    from explorer.questions.former_names import question_named

    question = question_named(asked)
    own = {} if question is None else question.titles
    column, whose = parted(name)
    title = titled(column, {**OF_EVERY_FILE, **own})
    if whose == DIFFERENCE:
        return Phrase(N_("{column}, difference"), column=title)
    if further := compared_with_first(whose):
        model = PurePath(further).name
        return Phrase(N_("{column}, difference of {model}"), column=title, model=model)
    # Of a folder its name alone.
    return Phrase(BY_WHOM, column=title, model=PurePath(whose).name) if whose else title


def whose_said(whose: str) -> str:
    """Whose numbers a column of several models has, where its title stands above all of them."""
    if whose == DIFFERENCE:
        return _("difference")
    if further := compared_with_first(whose):
        return _("difference of {model}", model=PurePath(further).name)
    return PurePath(whose).name


def column_said(name: str, asked: str) -> str:
    """The same in the reader's language."""
    return said(column_title(name, asked))
