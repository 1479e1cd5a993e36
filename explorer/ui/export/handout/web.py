"""A lecture as one web page that needs nothing else.

It runs no script, but for one that checks answers where steps ask.
"""

import html
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from explorer.export_choices import MILLIMETRES
from explorer.text import _, ngettext
from explorer.ui.export.devices import figure_svg
from explorer.ui.export.handout.content import HandoutStep, Section
from explorer.ui.export.handout.lesson import STYLE as LESSON_STYLE
from explorer.ui.export.handout.lesson import lesson_lines, script_for
from explorer.ui.export.handout.vectors import address, small
from explorer.ui.export.html_page import MOST_ROWS, numbers, whole_page
from explorer.ui.export.paper import PaperPicture

FEW = 8
"""Lines of contents that stand in one column."""
SECONDS = 1.0
"""That a frame of a film is shown."""
STYLE = """
.picture, .film { display: block; margin: 1rem 0; }
.picture > input { position: absolute; opacity: 0; }
.picture > input:focus-visible + * { outline: 2px solid; }
.picture .frames { display: grid; cursor: zoom-in; }
.picture .frames > img { grid-area: 1 / 1; width: 100%; height: 100%; object-fit: contain; }
.picture > input:checked + .frames { position: fixed; inset: 0; z-index: 1; padding: 1rem;
  box-sizing: border-box; background: #fff; cursor: zoom-out; }
.picture > input:checked + .frames > img { max-height: calc(100vh - 2rem); }
.film .frames > img { animation: var(--film) var(--long) step-end infinite paused; }
.film > input:checked ~ .picture .frames > img { animation-play-state: running; }
nav:not(.few) ul { columns: 2 20rem; }
nav ul { padding-left: 1.2rem; }
nav li { break-inside: avoid; }
nav .chapter { list-style: none; font-weight: 600; margin: .6rem 0 0 -1.2rem; break-after: avoid; }
@media print { .film > input, .film > .play { display: none; } }
"""
Placed = Callable[[str], str]
"""Gives a picture's address, of its SVG."""


def html_handout(title: str, sections: Sequence[Section], below: str = "") -> bytes:
    """The page, as the bytes of a file.

    Args:
        title: The lecture's.
        sections: Its scenes.
        below: What is said at the end of all pictures.
    """
    body = [contents(sections, "#{}"), *(scene_of(one, address) for one in sections)]
    return whole_page(
        title,
        [*body, small_print(below)],
        style=style_for(sections),
        script=script_for(sections),
    )


def contents(sections: Sequence[Section], link: str) -> str:
    """The scenes' titles, each a link to it, below those of their chapters.

    Args:
        sections: The scenes.
        link: Where one is, its name in the braces.
    """
    lines = []
    for one in sections:
        if one.chapter:
            lines.append(f"<li class='chapter'>{html.escape(one.chapter)}</li>")
        to = html.escape(link.format(one.scene.name), quote=True)
        lines.append(f"<li><a href='{to}'>{html.escape(one.scene.title())}</a></li>")
    few = " class='few'" if len(lines) <= FEW else ""
    return f"<nav{few}><ul>{''.join(lines)}</ul></nav>"


def scene_of(section: Section, placed: Placed, *, titled: bool = True) -> str:
    """A scene with its steps.

    Args:
        section: The scene.
        placed: Where its pictures are.
        titled: Its title stands above it.
    """
    chapter = f"<h2>{html.escape(section.chapter)}</h2>" if section.chapter else ""
    name = html.escape(section.scene.name, quote=True)
    sources = section.scene.cited
    told = small_print(_("Source: {sources}", sources=sources)) if sources else ""
    count = len(section.parts)
    steps = "".join(
        line
        for number, part in enumerate(section.parts, 1)
        for line in (
            _which(number, count) if part.asked is not None else "",
            *_lines(part, placed, f"{name}-{number}"),
        )
    )
    title = f"<h3>{html.escape(section.scene.title())}</h3>" if titled else ""
    return f"{chapter}<section id='{name}'>{title}{steps}{told}</section>"


def _which(number: int, count: int) -> str:
    """Where a step of a lesson begins."""
    said = html.escape(_("Step {number} of {count}", number=number, count=count))
    return f"<p class='step'>{said}</p>"


def small_print(words: str) -> str:
    """A paragraph in small letters; nothing of no words."""
    return f"<p class='small'>{html.escape(words)}</p>" if words else ""


def style_for(sections: Sequence[Section]) -> str:
    """More of a page's style: how its pictures are enlarged, and how its films play."""
    counts = sorted({len(part.film) for one in sections for part in one.parts if part.film})
    films = (
        f"@keyframes film-{count} "
        f"{{ 0% {{ opacity: 1; }} {_of_whole(1 / count)} {{ opacity: 0; }} }}\n"
        for count in counts
    )
    return STYLE + LESSON_STYLE + "".join(films)


def _of_whole(share: float) -> str:
    """A share as style sheets write it."""
    return format(100 * share, ".3f") + "%"


def picture_in(pictures: Sequence[PaperPicture], words: str, placed: Placed) -> str:
    """A picture that a click, or Space, makes as large as the window; of several, frames of a film.

    Args:
        pictures: One, or the frames.
        words: What it shows, for whoever does not see it.
        placed: Where pictures are.
    """
    last = pictures[-1]
    wide = _of_whole(min(1.0, last.width / MILLIMETRES["columns"]))
    said = html.escape(_("Enlarge the picture"), quote=True)
    images = "".join(
        map(partial(_image, placed, words, len(pictures)), range(len(pictures)), pictures)
    )
    shape = f"width: {wide}; aspect-ratio: {last.figure.width:.0f} / {last.figure.height:.0f}"
    return (
        f"<label class='picture' style='{shape}'><input type='checkbox' aria-label='{said}'>"
        f"<span class='frames'>{images}</span></label>"
    )


def film_in(film: Sequence[PaperPicture], words: str, placed: Placed, name: str) -> str:
    """A film that plays when its box is ticked; until then its last frame is seen."""
    count = len(film)
    said = ngettext(
        "Play the film: {count} moment of a training",
        "Play the film: {count} moments of a training",
        count,
    )
    how = f"--film: film-{count}; --long: {count * SECONDS:g}s"
    return (
        f"<div class='film' style='{how}'><input type='checkbox' id='{name}'>"
        f"<label class='play' for='{name}'> {html.escape(said)}</label>"
        f"{picture_in(film, words, placed)}</div>"
    )


def _image(placed: Placed, words: str, count: int, number: int, one: PaperPicture) -> str:
    svg = small(figure_svg(one.figure, one.told, one.millimetres).decode())
    # The last frame is the first to be seen: at the beginning each is as far on in its time.
    begun = f" style='animation-delay: {(number + 1 - count) * SECONDS:g}s'" if count > 1 else ""
    told = html.escape(words if number == count - 1 else "", quote=True)
    return f"<img alt='{told}' loading='lazy'{begun} src=\"{placed(svg)}\">"


def _lines(part: HandoutStep, placed: Placed, name: str) -> Iterator[str]:
    shown = [*_shown(part, placed, name)]
    if part.asked is None:
        yield from shown
    else:
        solved = _captioned(part.solved, part.solved.words, placed) if part.solved else ""
        yield from lesson_lines(part.asked, shown, solved, name)
    # What is claimed would give away what is asked, as in the window.
    if part.verdict and part.asked is None:
        kind = "holds" if part.played.holds else "fails"
        yield f"<p class='{kind}'>{html.escape(part.verdict)}</p>"
    if part.trouble:
        yield f"<p class='fails'>{html.escape(part.trouble)}</p>"
    if part.asked is None:
        yield numbers(part.table, MOST_ROWS)


def _shown(part: HandoutStep, placed: Placed, name: str) -> Iterator[str]:
    """What to look at, and the picture."""
    if part.look:
        said = "".join(f"<li>{html.escape(one)}</li>" for one in part.look)
        yield f"<ol>{said}</ol>"
    if part.picture is None:
        return
    if part.film:
        yield film_in(part.film, part.words, placed, name)
        yield small_print(part.picture.caption)
    else:
        yield _captioned(part.picture, part.words, placed)


def _captioned(picture: PaperPicture, words: str, placed: Placed) -> str:
    return picture_in([picture], words, placed) + small_print(picture.caption)
