"""Letters that no font has are told of once, with what brings them."""

import pytest

from explorer.ui.notices import missing_fonts
from explorer.ui.notices.missing_fonts import KEY
from explorer.ui.theme import letters
from explorer.ui.theme.letters import font_for, install_line, script_of, without_font

# Scripts that hardly any computer has fonts of.
RARE = "\U00012000\U00013000\U00014400\U0001b170\U00016800"


@pytest.fixture
def lacking(qapp):
    """A letter that no font on this computer has."""
    found = without_font(RARE)
    if not found:
        pytest.skip("This computer has a font for every script.")
    return found[0]


def test_letters_of_a_font_are_drawn_and_rare_ones_are_not(lacking):
    assert without_font("aé") == ""
    assert without_font(f"a{lacking}é") == lacking


def test_a_script_that_no_font_has_is_told_of_once(running, qtbot, lacking):
    window, edits = running.window, running.bench.edits
    told = f"the script {script_of(lacking).capitalize()}, which"
    edits.type_text(f"Anna saw {lacking}.", 0)
    qtbot.waitUntil(lambda: any(told in text for text in window.notices.texts))
    window.notices.dismiss(KEY)
    edits.type_text(f"Tom saw {lacking}{lacking}.", 0)
    window.notifications.missing_fonts.look()
    assert KEY not in window.notices.keys
    edits.type_text("café", 0)
    window.notifications.missing_fonts.look()
    assert KEY not in window.notices.keys


def test_it_goes_with_the_letters_and_comes_back_with_them(running, qtbot, lacking):
    window, edits, fonts = (
        running.window,
        running.bench.edits,
        running.window.notifications.missing_fonts,
    )
    edits.type_text(f"Anna saw {lacking}.", 0)
    fonts.look()
    assert KEY in window.notices.keys
    edits.type_text("Anna saw a cat.", 0)
    fonts.look()
    assert KEY not in window.notices.keys
    edits.type_text(f"Tom saw {lacking}.", 0)
    fonts.look()
    assert KEY in window.notices.keys


def test_a_language_without_a_font_is_told_of_in_english(running, speak, lacking, monkeypatch):
    speak("ko", Hide="숨기기")
    monkeypatch.setitem(missing_fonts.language.NAMES, "ko", lacking)
    running.window.notifications.missing_fonts.look()
    assert any(text.startswith("No font on this") for text in running.window.notices.texts)


@pytest.mark.parametrize(
    ("letter", "tool", "line"),
    [
        ("한", "apt-get", "sudo apt-get install -y fonts-noto-cjk"),
        ("かん"[0], "dnf", "sudo dnf install -y google-noto-sans-cjk-fonts"),
        ("漢", "pacman", "sudo pacman -S --needed noto-fonts-cjk"),
        ("ไ", "apt-get", "sudo apt-get install -y fonts-noto-core"),
        ("ไ", "dnf", ""),
        ("한", "zypper", ""),
        ("한", "brew", ""),
    ],
)
def test_the_package_that_has_a_script_is_named_where_it_is_known(letter, tool, line):
    assert install_line(font_for(letter), lambda name: name if name == tool else None) == line


def test_every_package_belongs_to_a_program_that_installs(qapp):
    for by_tool in letters.PACKAGES.values():
        assert by_tool.keys() <= letters.INSTALL_LINES.keys()
