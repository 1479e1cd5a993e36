"""Labels of rows line by line, with what is said of them beside or below."""

from explorer.ui.blocks.tables.column_widths import longest_word, tag_width
from explorer.ui.theme.schemes import FontRole
from explorer.ui.typesetting.wrapping import wrapped_lines


def label_lines(role: FontRole, label: str, tag: str, room: float) -> list[str]:
    """A label line by line, beside its tag; a last, empty line where a word would be cut there.

    Args:
        role: What the label is.
        label: Its words.
        tag: What is said of it; "" for nothing.
        room: For both, in pixels.
    """
    beside = room - tag_width(tag)
    if tag and longest_word(role, [label]) > beside + 2:
        return [*wrapped_lines(role, label, max(room, 24.0) + 1), ""]
    return wrapped_lines(role, label, max(beside, 24.0) + 1) or [""]
