"""A claim that is tried in a second or two."""

from pathlib import Path

SMALL = """
title = "T"
claim = "C."
source = "Nobody 2026, section 1"
about = "A."
cannot = "N."
measure = "parameters"
varies = ["batch"]
seeds = 3
[plan]
layers = 1
width = 16
heads = 1
vocabulary = 200
steps = 4
[short]
steps = 2
[[ways]]
name = "old"
title = "old"
plan = {batch = 2}
[[ways]]
name = "new"
title = "new"
plan = {batch = 4}
[[predicts]]
better = "new"
than = "old"
"""


TAUGHT = """kind = "distil"
[plan]
teacher_layers = 1
teacher_width = 16
teacher_steps = 2"""
"""What makes it one about a student, whose teacher is trained first."""
CONTROL = '[control]\ntitle = "nothing"\nwhy = "W."\nplan = {steps = 1}\n'


def written(
    folder: Path, name: str = "made", *, control: bool = False, taught: bool = False, **changes: str
) -> Path:
    """A definition with some of its lines otherwise: `measure="excess"`."""
    text = SMALL + (CONTROL if control else "")
    if taught:
        text = text.replace("[plan]", TAUGHT, 1)
    for key, value in changes.items():
        line = next(one for one in SMALL.splitlines() if one.startswith(f"{key} ="))
        text = text.replace(line, f"{key} = {value}", 1)
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return path
