"""Makes the .venv beside main.py, completes it, or makes it anew."""

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from explorer.bootstrap.command import Output, duration_text, run_command
from explorer.bootstrap.lock import setup_lock
from explorer.bootstrap.pip_output import Reason, last_errors, reason_of
from explorer.bootstrap.requirements import (
    Shortfall,
    installed_versions,
    off_pins,
    project_requirements,
    shortfalls,
)
from explorer.bootstrap.stamp import (
    FOLDER_NAME,
    Stamp,
    digest_of,
    is_current,
    packages_of,
    python_of,
    read_stamp,
    remove_stamp,
    write_stamp,
)
from explorer.bootstrap.terminal import Terminal

LOG_NAME = "setup.log"
LOCK_NAME = "setup.lock"
RAW_PROGRESS_SINCE = (24, 1)


class SetupFailure(Exception):
    """Setting up did not work out; the message is for the user, all lines of it."""

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        self.kind = kind


class Environment:
    """The virtual environment of a checkout.

    Attributes:
        root: The checkout.
        extras: Which have to be in it.
        base: The Python that makes it.
    """

    def __init__(self, root: Path, extras: tuple[str, ...], base: str | None = None) -> None:
        self.root = root
        self.extras = extras
        # Inside a virtual environment sys.executable would make the new one hang off it.
        self.base = base or getattr(sys, "_base_executable", None) or sys.executable
        self._lock_descriptor: int | None = None

    @property
    def folder(self) -> Path:
        """The environment's folder."""
        return self.root / FOLDER_NAME

    def prepare(self) -> None:
        """Leave it complete and stamped.

        Raises:
            SetupFailure: What failed, and what to do.
        """
        if self.folder.exists() and not _may_be_changed(self.folder):
            raise SetupFailure(
                f"{self.folder} exists but is not a virtual environment.\n"
                "What to do: move it away, then start again."
            )
        try:
            with (
                setup_lock(self.folder / LOCK_NAME, self._say_waiting) as self._lock_descriptor,
                Terminal(self.folder / LOG_NAME) as terminal,
            ):
                if not is_current(self.root, self.extras):  # another start may have done it
                    self._prepare_locked(terminal)
        except OSError as error:
            reason = reason_of([str(error)])
            message = "the system refused" if reason.kind == "other" else reason.message
            raise SetupFailure(
                f"Setting up in {self.folder} failed: {message} ({error}).\n"
                f"What to do: {reason.hint}",
                reason.kind,
            ) from error

    def _say_waiting(self) -> None:
        sys.stderr.write("Another start is setting up the environment; waiting for it.\n")
        sys.stderr.flush()

    def _prepare_locked(self, terminal: Terminal) -> None:
        terminal.note(f"\n==== {time.strftime('%Y-%m-%d %H:%M:%S')} {self.base}")
        before = read_stamp(self.root)
        if before:
            self.extras = tuple(sorted({*self.extras, *self._still_offered(before.extras)}))
        python = self._usable_python()
        missing = self._shortfalls(python) if python else None
        if before and python and missing == () and not self._off_pins(python):
            self._write_stamp(python)  # the files changed, but not in a way that matters
            return
        started = time.monotonic()
        terminal.say(
            f"PLM Explorer: {'completing' if python else 'making'} its environment in "
            f"{self.folder} (once; about 2.5 GB)."
        )
        try:
            remove_stamp(self.root)
            python = self._install(terminal, python, patient=missing != ())
        except SetupFailure as failure:
            if before and python and missing == () and failure.kind == "network":
                terminal.say(
                    "The package index could not be reached; going on with what is installed, "
                    "which is enough."
                )
                # The old digest stays, so the next start tries again.
                write_stamp(self.root, before)
                return
            raise
        self._write_stamp(python)
        terminal.say(f"[3/3] Ready after {duration_text(time.monotonic() - started)}.")

    def _install(self, terminal: Terminal, python: str | None, *, patient: bool) -> str:
        """Make the environment where it is not usable, run pip; returns its Python's "3.11".

        Patient is for what can't be done without; otherwise an index that does not answer is
        given up soon.
        """
        existed = python is not None
        if python is None:
            python = self._make(terminal)
        else:
            terminal.say("[1/3] The environment is there.")
        try:
            self._run_pip(terminal, patient=patient)
        except SetupFailure as failure:
            if not existed or failure.kind != "other":
                raise
            terminal.say("      That environment can't be completed; making it anew.")
            python = self._make(terminal)
            self._run_pip(terminal, patient=True)
        left = self._shortfalls(python)
        if left:
            raise SetupFailure(
                "Setting up failed: pip ended well, but these are not installed: "
                + ", ".join(shortfall.requirement.text for shortfall in left)
                + f".\nWhat to do: delete {self.folder}, then start again."
            )
        return python

    def _usable_python(self) -> str | None:
        """Version ("3.11") of the environment's Python if it runs, is new enough and has pip."""
        python = python_of(self.root)
        if not python.exists():
            return None
        version = self._ask_python("import sys; print('%d.%d' % sys.version_info[:2])")
        if version is None or tuple(map(int, version.split("."))) < (3, 11):
            return None
        if not packages_of(self.root, version).is_dir():
            return None
        if self._ask_python("import pip; print(pip.__version__)") is None:
            self._ask_python("import ensurepip; ensurepip.bootstrap()")
            if self._ask_python("import pip; print(pip.__version__)") is None:
                return None
        return version

    def _ask_python(self, code: str) -> str | None:
        try:
            ran = subprocess.run(
                [str(python_of(self.root)), "-I", "-c", code],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return ran.stdout.strip() if ran.returncode == 0 else None

    def _make(self, terminal: Terminal) -> str:
        """Make the environment; what was in its folder goes, the log and the lock stay."""
        require_venv(self.base)
        terminal.say(f"[1/3] Making the environment with {self.base}")
        for entry in self.folder.iterdir():
            if entry.name in {LOG_NAME, LOCK_NAME}:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        output = run_command([self.base, "-m", "venv", str(self.folder)], *self._where(terminal))
        python = self._usable_python()
        if python is None:
            raise self._failure("making the environment", reason_of(output), output, terminal)
        return python

    def _run_pip(self, terminal: Terminal, *, patient: bool) -> None:
        """Install the project, editable, within its constraints, with pip's own settings."""
        target = f".[{','.join(self.extras)}]" if self.extras else "."
        version = self._ask_python("import pip; print(pip.__version__)") or "0"
        raw = tuple(int(p) for p in version.split(".")[:2] if p.isdigit()) >= RAW_PROGRESS_SINCE
        command = [str(python_of(self.root)), "-m", "pip", "install", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar", "raw" if raw else "off"]
        if (self.root / "constraints.txt").exists():
            command += ["-c", "constraints.txt"]
        if not patient:
            command += ["--retries", "1", "--timeout", "5"]
        terminal.say("[2/3] Installing what it needs (torch and Qt are the large ones)")
        # The exit status counts, not the output: pip prints warnings that look like errors.
        output = run_command([*command, "-e", target], *self._where(terminal))
        if output.status:
            raise self._failure("installing", reason_of(output), output, terminal)

    def _where(self, terminal: Terminal) -> tuple[Path, Terminal, int | None]:
        return self.root, terminal, self._lock_descriptor

    def _failure(
        self, doing: str, reason: Reason, output: Output, terminal: Terminal
    ) -> SetupFailure:
        errors = "\n".join(f"  {line}" for line in last_errors(output))
        free = shutil.disk_usage(self.folder).free / 1e9
        space = f" ({free:.1f} GB are free there.)" if reason.kind == "space" else ""
        return SetupFailure(
            f"Setting up failed while {doing}: {reason.message}.\n{errors}\n"
            f"What to do: {reason.hint}{space} Then start again: it goes on from here.\n"
            f"Everything pip said: {terminal.log_path}",
            reason.kind,
        )

    def _still_offered(self, extras: tuple[str, ...]) -> tuple[str, ...]:
        """Those extras that pyproject.toml still has."""
        pyproject = (self.root / "pyproject.toml").read_bytes()
        offered = []
        for extra in extras:
            with suppress(ValueError):
                project_requirements(pyproject, (extra,))
                offered.append(extra)
        return tuple(offered)

    def _shortfalls(self, python: str) -> tuple[Shortfall, ...]:
        pyproject = (self.root / "pyproject.toml").read_bytes()
        return shortfalls(project_requirements(pyproject, self.extras), self._installed(python))

    def _off_pins(self, python: str) -> tuple[Shortfall, ...]:
        path = self.root / "constraints.txt"
        return off_pins(path.read_text("utf-8"), self._installed(python)) if path.exists() else ()

    def _installed(self, python: str) -> dict[str, str]:
        return installed_versions([str(packages_of(self.root, python))])

    def _write_stamp(self, python: str) -> None:
        write_stamp(self.root, Stamp(digest_of(self.root), python, tuple(sorted(self.extras))))


def require_venv(base: str) -> None:
    """Make sure that a Python can make environments with pip in them (Debian splits that off).

    Raises:
        SetupFailure: It can't; says which package brings it.
    """
    check = "import venv, ensurepip, sys; print('%d.%d' % sys.version_info[:2])"
    ran = subprocess.run([base, "-c", check], capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    lines = {
        "apt-get": f"sudo apt install python{version}-venv",
        "dnf": "sudo dnf install python3-pip",
        "zypper": f"sudo zypper install python{version.replace('.', '')}-base",
        "apk": "sudo apk add python3 py3-pip",
        "pacman": "sudo pacman -S python",
    }
    line = next((text for tool, text in lines.items() if shutil.which(tool)), None)
    raise SetupFailure(
        "Setting up failed: this Python lacks the modules venv and ensurepip, which make "
        f"environments ({base}).\nWhat to do: "
        + (f"{line}" if line else "install Python from python.org")
        + ", then start again."
    )


def _may_be_changed(folder: Path) -> bool:
    """Whether a .venv is an environment, or what was left of making one."""
    if not folder.is_dir():
        return False
    entries = {entry.name for entry in folder.iterdir()}
    return not entries or bool(entries & {"pyvenv.cfg", LOCK_NAME, LOG_NAME})
