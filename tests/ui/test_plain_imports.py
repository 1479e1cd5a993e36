import builtins
import subprocess
import sys

from explorer.ui.plain_imports import take_the_wrapper_off


def test_a_start_imports_as_python_does() -> None:
    """Asked in a process of its own, with PySide6 as it comes."""
    told = "import builtins, explorer.app; print(builtins.__import__.__name__)"
    run = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=60
    )
    assert "feature" not in run.stdout
    assert run.stdout.strip()


def test_it_can_be_taken_off_again() -> None:
    before = builtins.__import__
    take_the_wrapper_off()
    assert builtins.__import__ is before
