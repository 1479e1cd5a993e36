"""A lecture as one web page that needs nothing else."""

import html
from collections.abc import Iterator, Sequence

from explorer.text import _
from explorer.ui.export.handout.content import CHOICE, HandoutStep, Section
from explorer.ui.export.html_page import MOST_ROWS, numbers, picture, whole_page


def html_handout(title: str, sections: Sequence[Section]) -> bytes:
    """The page, as the bytes of a file.

    Args:
        title: The lecture's.
        sections: Its scenes.
    """
    return whole_page(title, [_contents(sections), *(_of(one) for one in sections)])


def _contents(sections: Sequence[Section]) -> str:
    """The scenes' titles, each a link to it."""
    lines = []
    for one in sections:
        if one.chapter:
            lines.append(f"<li><b>{html.escape(one.chapter)}</b></li>")
        name = html.escape(one.scene.name, quote=True)
        lines.append(f"<li><a href='#{name}'>{html.escape(one.scene.title())}</a></li>")
    return f"<nav><ul>{''.join(lines)}</ul></nav>"


def _of(section: Section) -> str:
    chapter = f"<h2>{html.escape(section.chapter)}</h2>" if section.chapter else ""
    name = html.escape(section.scene.name, quote=True)
    sources = section.scene.cited
    told = _("Source: {sources}", sources=sources)
    below = f"<p class='small'>{html.escape(told)}</p>"
    steps = "".join(line for part in section.parts for line in _lines(part))
    return (
        f"{chapter}<section id='{name}'><h3>{html.escape(section.scene.title())}</h3>"
        f"{steps}{below if sources else ''}</section>"
    )


def _lines(part: HandoutStep) -> Iterator[str]:
    if part.look:
        said = "".join(f"<li>{html.escape(one)}</li>" for one in part.look)
        yield f"<ol>{said}</ol>"
    if part.picture is not None:
        yield picture(part.picture.written(CHOICE), part.words)
        yield f"<p class='small'>{html.escape(part.picture.caption)}</p>"
    if part.verdict:
        kind = "holds" if part.played.holds else "fails"
        yield f"<p class='{kind}'>{html.escape(part.verdict)}</p>"
    if part.trouble:
        yield f"<p class='fails'>{html.escape(part.trouble)}</p>"
    yield numbers(part.table, MOST_ROWS)
