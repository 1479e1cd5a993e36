"""README and its Korean twin: what they name is there, and both name the same."""

import re
import shlex
from pathlib import Path

import pytest

from explorer import cli
from explorer.questions import all_questions
from explorer.text import _, language
from explorer.text.catalogues import LOCALE

ROOT = Path(__file__).parents[1]
ENGLISH, KOREAN = "README.md", "README.ko.md"
MOST_BYTES = 300_000
"""Of a picture: a page of Markdown is read over slow lines, too."""


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def commands_of(name):
    """What is typed, in its order."""
    return re.findall(r"^python main\.py.*$", text_of(name), re.MULTILINE)


def rows_of(name):
    """The first cells of the table of pages, in their order, without its head."""
    first, *rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \|$", text_of(name), re.MULTILINE)
    assert first == {ENGLISH: "page", KOREAN: "페이지"}[name]
    return rows


def links_of(name):
    """What stands in the repository and is linked to or shown."""
    return [
        target.partition("#")[0]
        for target in re.findall(r"\]\(([^)]+)\)", text_of(name))
        if "://" not in target
    ]


@pytest.mark.parametrize("name", [ENGLISH, KOREAN])
def test_the_readme_names_commands_that_there_are(name):
    parser = cli.build_parser(cli.all_commands())
    told = [parser.parse_args(shlex.split(line)[2:]).command for line in commands_of(name)]
    assert {one for one in told if one is not None} == set(cli.all_commands())


@pytest.mark.parametrize("name", [ENGLISH, KOREAN])
def test_the_readme_has_a_row_for_each_question(name):
    if name == KOREAN:
        language.use(language.find("ko", LOCALE))
    titles = [_(question.title) for question in all_questions().values()]
    assert sorted(rows_of(name)) == sorted(titles)


def test_both_have_the_same_pages_commands_and_numbers_in_the_same_order():
    language.use(language.find("ko", LOCALE))
    title_of = {one.title: _(one.title) for one in all_questions().values()}
    assert rows_of(KOREAN) == [title_of[title] for title in rows_of(ENGLISH)]
    assert commands_of(KOREAN) == commands_of(ENGLISH)
    # Of each row what is behind its name, which is in the reader's language.
    measured = r"^\| [^|]+(\| \d+\.\d \| \d+\.\d-\d+\.\d .*)$"
    both = [re.findall(measured, text_of(name), re.MULTILINE) for name in (ENGLISH, KOREAN)]
    assert both[0] == both[1]
    assert both[0]


@pytest.mark.parametrize(("name", "other"), [(ENGLISH, KOREAN), (KOREAN, ENGLISH)])
def test_links_lead_somewhere_and_to_the_other_language_at_the_top(name, other):
    links = links_of(name)
    assert links[0] == other
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_pictures_are_shown_and_are_small():
    shown = {ROOT / link for name in (ENGLISH, KOREAN) for link in links_of(name)}
    pictures = set((ROOT / "docs" / "pictures").iterdir())
    assert pictures <= shown
    assert [picture for picture in pictures if picture.stat().st_size > MOST_BYTES] == []
