"""A lecture and a gallery of all pages as a folder of web pages, in every language there is.

Links are relative, pictures are files beside the pages, and nothing comes from elsewhere: it is
the same from a disk, from a stick and from a server.
"""

import hashlib
import html
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.as_code.as_command import as_command
from explorer.as_code.asked import AskedRun
from explorer.headless import AnsweredRun
from explorer.paths import own_resources
from explorer.sessions.export.tables import write_atomically
from explorer.text import _, language
from explorer.ui.export.handout.chosen import CHOICE, StepFocus, picture_of
from explorer.ui.export.handout.content import PlayedLecture, Section, made_with
from explorer.ui.export.handout.lesson import script_for
from explorer.ui.export.handout.web import (
    contents,
    picture_in,
    scene_of,
    small_print,
    style_for,
)
from explorer.ui.export.html_page import whole_page
from explorer.ui.views import Listed

INDEX, GALLERY, PICTURES = "index.html", "gallery.html", "pictures"
FROM_FILES = "'self' file: data:"
"""Where pictures come from: what a browser calls the page's own place is nothing on a disk."""
NAME = 16
"""Digits of a picture's name, which its content gives it: the same picture is there once."""
HIGH = 120.0
"""Millimetres of a picture of the gallery."""
STYLE = """
.way { display: flex; gap: 1.5rem; flex-wrap: wrap; border-bottom: 1px solid; padding: .5rem 0; }
.way > :last-child { margin-left: auto; }
code { overflow-wrap: anywhere; }
"""


@dataclass(frozen=True)
class GalleryEntry:
    """A question of the gallery, and an answer.

    Attributes:
        page: The question's page.
        answered: The answer, with the details that the page wants.
    """

    page: Listed
    answered: AnsweredRun


@dataclass(frozen=True)
class Site:
    """What becomes a site.

    Attributes:
        title: Gives what it is called in the language in use.
        lecture: A lecture that was played.
        lessons: The lessons, played; None for a site without.
        gallery: Questions in the order of the window.
    """

    title: Callable[[], str]
    lecture: PlayedLecture
    gallery: Sequence[GalleryEntry]
    lessons: PlayedLecture | None = None

    def write(self, folder: Path, locale: Path, tell: Callable[[str], None]) -> int:
        """Write all of it; files of the same names are replaced, others stay.

        Args:
            folder: Where.
            locale: The languages' folder.
            tell: Hears which language is drawn.

        Returns:
            How many files there are.

        Raises:
            MachineFault: One can't be written, or a page can't be drawn here.
        """
        (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        before, files = language.current(), _SiteFiles(folder)
        codes = language.available(locale)
        try:
            for code in codes:
                language.use(language.find(code, locale) or language.ENGLISH)
                tell(language.name_of(code))
                for name, page in self._pages(files, codes):
                    files.write(f"{code}/{name}", page)
        finally:
            language.use(before)
        files.write(INDEX, self._door(codes))
        return len(files.written)

    def _door(self, codes: Sequence[str]) -> bytes:
        """The page that asks for a language."""
        links = "".join(
            f"<li><a href='{code}/{INDEX}' lang='{code}'>{html.escape(language.name_of(code))}</a>"
            for code in codes
        )
        return whole_page(self.title(), [f"<ul>{links}</ul>"], style=STYLE)

    def _pages(self, files: "_SiteFiles", codes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The pages of the language in use, each with its name."""
        title = self.title()
        played = [one for one in (self.lessons, self.lecture) if one is not None]
        sections = [list(one.sections()) for one in played]
        style = style_for([one for some in sections for one in some]) + STYLE

        def page(
            name: str,
            heading: str,
            body: Sequence[str],
            answers: Iterable[AnsweredRun],
            near: str = "",
            script: str = "",
        ) -> tuple[str, bytes]:
            parts = [_ways(name, codes, near), *body, small_print(made_with(answers))]
            made = whole_page(heading, parts, style=style, images=FROM_FILES, script=script)
            return name, made

        about = _(
            "Look inside pretrained language models: each page asks one question of a model, and "
            "each step of the lecture says what to look at and what must hold. What is seen here "
            "was asked and drawn by the program, which does the same with your models and texts, "
            "offline."
        )
        lists = [contents(some, "{}.html") for some in sections]
        if self.lessons is not None:
            taken = _(
                "Whoever begins takes a lesson: guess, look, answer. This page checks the answers "
                "itself and sends nothing anywhere."
            )
            lists = [f"<p>{html.escape(taken)}</p>", *lists]
        every = itertools.chain.from_iterable(one.answers for one in played)
        yield page(INDEX, title, [f"<p>{html.escape(about)}</p>", *lists], every)
        for whole, some in zip(played, sections, strict=True):
            titled = _with_chapters(some)
            for number, (chapter, one) in enumerate(titled):
                above = f"<p class='small'>{html.escape(chapter)}</p>" if chapter else ""
                body = [above, scene_of(replace(one, chapter=""), files.picture, titled=False)]
                yield page(
                    _file(one),
                    one.scene.title(),
                    body,
                    whole.answers_in(one.scene.name),
                    _near(titled, number, is_lesson=whole is self.lessons),
                    script_for([one]),
                )
        shown = (one.answered for one in self.gallery)
        yield page(GALLERY, _("Gallery"), list(self._gallery(files)), shown)

    def _gallery(self, files: "_SiteFiles") -> Iterator[str]:
        said = _("Every page of the program, with the command that makes its picture.")
        yield f"<p>{html.escape(said)}</p>"
        groups = itertools.groupby(self.gallery, key=lambda one: one.page.heading)
        for heading, entries in groups:
            yield f"<h2>{html.escape(_(heading))}</h2>"
            for one in entries:
                yield _entry(one, files)


def _entry(one: GalleryEntry, files: "_SiteFiles") -> str:
    of = one.page.of
    choice = replace(CHOICE, room=HIGH)
    made = picture_of(one.answered, StepFocus(), choice)
    asked = AskedRun.of(one.answered.run)
    # A file of the program is told by its place in it, not in this computer.
    told = as_command(asked).replace(str(own_resources()), "resources").strip() if asked else ""
    command = f"<p><code>{html.escape(told)}</code></p>" if told else ""
    picture = picture_in([made], made.words, files.picture)
    return (
        f"<section id='{of.name}'><h3>{html.escape(_(of.title))}</h3>"
        f"<p>{html.escape(of.question_said)}</p>{picture}{small_print(made.caption)}{command}"
        "</section>"
    )


class _SiteFiles:
    """The files of a site.

    Attributes:
        written: Their names.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.written: set[str] = set()

    def write(self, name: str, content: bytes) -> None:
        """Write one, unless it was written already."""
        if name not in self.written:
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
            self.written.add(name)

    def picture(self, svg: str) -> str:
        """Where a picture is, from a page of a language."""
        content = svg.encode()
        name = f"{PICTURES}/{hashlib.sha256(content).hexdigest()[:NAME]}.svg"
        self.write(name, content)
        return f"../{name}"


def _ways(name: str, codes: Sequence[str], near: str) -> str:
    """Links to the contents, the gallery, the scenes beside, and the same page in others."""
    here, pages = language.current().code, {INDEX: _("Contents"), GALLERY: _("Gallery")}
    links = [*(f"<a href='{to}'>{html.escape(said)}</a>" for to, said in pages.items()), near]
    others = "".join(
        f" <a href='../{code}/{name}' lang='{code}'>{html.escape(language.name_of(code))}</a>"
        for code in codes
        if code != here
    )
    return f"<div class='way'>{''.join(links)}<span>{others}</span></div>"


def _near(titled: Sequence[tuple[str, Section]], number: int, *, is_lesson: bool) -> str:
    """Links to the scenes, or the lessons, before and after one."""
    words = (
        (_("Previous lesson"), _("Next lesson"))
        if is_lesson
        else (_("Previous scene"), _("Next scene"))
    )
    return "".join(
        f"<a href='{_file(titled[at][1])}'>{html.escape(said)}</a>"
        for at, said in zip((number - 1, number + 1), words, strict=True)
        if 0 <= at < len(titled)
    )


def _file(section: Section) -> str:
    return f"{section.scene.name}.html"


def _with_chapters(scenes: Sequence[Section]) -> list[tuple[str, Section]]:
    """Each scene with the title of its chapter, which the first of a chapter alone has."""
    found, chapter = [], ""
    for one in scenes:
        chapter = one.chapter or chapter
        found.append((chapter, one))
    return found
