"""Labels and tooltips that no window shows in a test are found in the sources.

Apart from tests/ui/test_plain_words.py, so that its windows are not opened anew for each source.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELPER = ROOT / "explorer/ui/controls/plain_words.py"
TIPS = {"setToolTip": slice(-1, None), "showText": slice(1, 2)}
"""Where a tooltip stands among the arguments."""


def is_ours(node: ast.expr) -> bool:
    """Whether it is a text of the program's own, or goes through the helper."""
    if isinstance(node, ast.Constant):
        return "<" not in str(node.value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    if node.func.id == "plain_tip":
        return True
    return node.func.id == "_" and not node.keywords and all(map(is_ours, node.args))


def test_nobody_makes_a_label_or_a_tooltip_by_itself():
    """What no window shows in a test is found here."""
    found = []
    for folder in ("explorer/ui", "explorer/questions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text("utf-8")
            # To read all of them as Python does takes seconds; most name nothing of this.
            if path == HELPER or not any(name in text for name in ("QLabel", *TIPS)):
                continue
            for node in ast.walk(ast.parse(text)):
                if not isinstance(node, ast.Call):
                    continue
                called = node.func
                name = called.attr if isinstance(called, ast.Attribute) else ""
                is_label = isinstance(called, ast.Name) and called.id == "QLabel"
                tips = node.args[TIPS[name]] if name in TIPS else []
                if is_label or not all(map(is_ours, tips)):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found, "\n".join(found)
