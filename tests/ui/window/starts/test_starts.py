"""The window looks at the next start as it did, and as at the first one when it is reset."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]
SECONDS = 240
LEAST_OF_PAGE = 0.8
"""Part of the window's width that the page gets."""
LEAST_HIGH = 0.65
"""Part of the window's height that the page gets."""
ROOM = (1000, 700)
"""Pixels of the page in a window of 1600 x 1000."""


def look(folder: Path, scenario: str, screen: tuple[int, int]) -> list[dict[str, Any]]:
    """The layouts of a scenario's starts, in a process with a screen of this size."""
    width, height = screen
    one = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screens = folder / "screens.json"
    dots = {"logicalDpi": 96, "logicalBaseDpi": 96}
    screens.write_text(json.dumps({"screens": [one | dots]}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.ui.starts", str(folder / "profile"), scenario]
    platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}"}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | platform,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    looked: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return looked


@pytest.mark.parametrize(
    ("scenario", "screen"),
    [("1600x1000", (1920, 1200)), ("maximised", (1600, 1000)), ("1024x700", (1600, 1000))],
)
def test_three_starts_in_a_row_and_a_reset_look_alike(tmp_path, scenario, screen):
    first, second, third, reset = look(tmp_path, scenario, screen)
    width, height = first["window"]
    if scenario == "maximised":
        assert first["maximised"]
        assert width > screen[0] - 20
    else:
        assert f"{width}x{height}" == scenario
    assert [first[dock] for dock in ("token", "log")] == [None, None]
    assert first["page"][0] >= LEAST_OF_PAGE * width
    assert first["page"][1] >= LEAST_HIGH * height
    if width >= 1590:
        assert first["page"][0] >= ROOM[0]
        assert first["page"][1] >= ROOM[1]
    assert list(first["views"]) == ["overview"]
    assert second == first
    assert third == first
    assert reset == first


def test_what_the_user_arranged_comes_back_until_it_is_reset(tmp_path):
    first, arranged, second, third, reset = look(tmp_path, "arranged", (1600, 1000))
    assert first["token"] is None
    assert arranged["token"][2] > 300
    assert arranged["log"]
    assert set(arranged["views"]) == {"overview", "tokens"}
    assert second == arranged
    assert third == arranged
    assert reset == first
