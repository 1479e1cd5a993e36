"""Makes the .venv beside main.py, completes it, or makes it anew.

pip installs, or uv where it is there; what they print is what a person sees.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from explorer.bootstrap.failures import SetupFailure, last_errors, reason_of
from explorer.bootstrap.lock import setup_lock
from explorer.bootstrap.requirements import installed, off_pins, offered, project_lines, unmet
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

LOG_NAME = "setup.log"
LOCK_NAME = "setup.lock"
_ONLY_PIP_KNOWS = re.compile(r"index|find-links|cert|proxy|trusted-host")
_IMPATIENT = {
    "PIP_RETRIES": "1",
    "PIP_TIMEOUT": "5",
    "UV_HTTP_RETRIES": "1",
    "UV_HTTP_TIMEOUT": "5",
}
_VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"


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
        self.folder = root / FOLDER_NAME
        self._log = self.folder / LOG_NAME
        self._python = str(python_of(root))
        self._lock: int | None = None

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
            with setup_lock(self.folder / LOCK_NAME) as self._lock:
                if not is_current(self.root, self.extras):  # another start may have done it
                    self._complete()
        except OSError as error:
            reason = reason_of(str(error))
            message = "the system refused" if reason.kind == "other" else reason.message
            raise SetupFailure(
                f"Setting up in {self.folder} failed: {message} ({error}).\n"
                f"What to do: {reason.hint}",
                reason.kind,
            ) from error

    def _complete(self) -> None:
        before = read_stamp(self.root)
        if before:
            kept = set(before.extras) & offered(self.root).keys()
            self.extras = tuple(sorted({*self.extras, *kept}))
        version = self._usable_version()
        enough = version is not None and not self._unmet(version)
        if before and version and enough and not off_pins(self.root, self._installed(version)):
            self._write_stamp(version)  # the files changed, but not in a way that matters
            return
        started = time.monotonic()
        doing = "completing" if version else "making"
        _say(f"PLM Explorer: {doing} its environment in {self.folder} (once; about 2.5 GB).")
        remove_stamp(self.root)
        try:
            version = self._install(version, patient=not enough)
        except SetupFailure as failure:
            if not (before and enough and failure.kind == "network"):
                raise
            _say(
                "The package index could not be reached; going on with what is installed, "
                "which is enough."
            )
            write_stamp(self.root, before)  # the old digest: the next start tries again
            return
        self._write_stamp(version)
        seconds = int(time.monotonic() - started)
        minutes = f"{seconds // 60} min " if seconds >= 60 else ""
        _say(f"[3/3] Ready after {minutes}{seconds % 60} s.")

    def _install(self, version: str | None, *, patient: bool) -> str:
        """Make the environment where it is not usable, install; returns its Python's "3.11".

        Patient is for what can't be done without; otherwise an index that does not answer is
        given up soon.
        """
        uv = self._uv()
        existed = version is not None
        if version is None:
            version = self._make(uv)
        else:
            _say("[1/3] The environment is there.")
        try:
            self._install_packages(uv, patient=patient)
        except SetupFailure as failure:
            if not existed or failure.kind != "other":
                raise
            _say("      That environment can't be completed; making it anew.")
            version = self._make(uv)
            self._install_packages(uv, patient=True)
        if left := self._unmet(version):
            raise SetupFailure(
                "Setting up failed: the installer ended well, but these are not installed: "
                f"{', '.join(left)}.\nWhat to do: delete {self.folder}, then start again."
            )
        return version

    def _uv(self) -> str | None:
        """The uv on the PATH; None as well where pip is told of a mirror or proxy uv ignores."""
        if uv := shutil.which("uv"):
            told = self._ask(self.base, "-m", "pip", "config", "list") or ""
            return None if _ONLY_PIP_KNOWS.search(told) else uv
        return None

    def _make(self, uv: str | None) -> str:
        """Make the environment; what was in its folder goes, the log and the lock stay."""
        command = [self.base, "-m", "venv"]
        if uv:
            command = [uv, "venv", "--allow-existing", "--python", self.base]
        else:
            require_venv(self.base)
        _say(f"[1/3] Making the environment with {self.base}")
        for entry in self.folder.iterdir():
            if entry.name in {LOG_NAME, LOCK_NAME}:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        self._run("making the environment", [*command, str(self.folder)])
        version = self._usable_version()
        if version is None:
            raise SetupFailure(
                f"Setting up failed: the Python made in {self.folder} does not run.\n"
                f"What to do: read {self._log}; start again with another Python, 3.11 or newer."
            )
        return version

    def _install_packages(self, uv: str | None, *, patient: bool) -> None:
        """Install the project, editable, within its constraints."""
        command = [self._python, "-m", "pip", "install", "--no-input"]
        command += ["--disable-pip-version-check"]
        variables = {}
        if not patient:
            command += ["--retries", "1", "--timeout", "5"]
            variables = {"UV_HTTP_RETRIES": "1", "UV_HTTP_TIMEOUT": "5"}
        if uv:
            command = [uv, "pip", "install", "--python", self._python]
        elif self._ask(self._python, "-I", "-m", "pip", "--version") is None:  # made by uv
            require_venv(self.base)
            self._run("adding pip", [self._python, "-I", "-m", "ensurepip"])
        if (self.root / "constraints.txt").exists():
            command += ["-c", "constraints.txt"]
        _say("[2/3] Installing what it needs (torch and Qt are the large ones)")
        target = f".[{','.join(self.extras)}]" if self.extras else "."
        self._run("installing", [*command, "-e", target], variables)

    def _run(self, doing: str, command: list[str], variables: dict[str, str] | None = None) -> None:
        """Run a command to its end, and keep what it complains of.

        What it prints goes to the terminal itself, for the sake of pip's progress bars; never
        to stdout, where a command's JSON goes.

        Raises:
            SetupFailure: It failed.
        """
        complaints = []
        # A user's `user = true` for pip would fail inside any virtual environment.
        environment = {**os.environ, "PIP_USER": "0", **(variables or {})}
        # What another Python is told to look at is not in this environment.
        for name in ("__PYVENV_LAUNCHER__", "PYTHONPATH"):
            environment.pop(name, None)
        if command[0] != self.base:
            environment.pop("PYTHONHOME", None)
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=2,
            stderr=subprocess.PIPE,
            cwd=self.root,
            env=environment,
            text=True,
            encoding="utf-8",
            errors="replace",
            # If this process is killed, the command goes on for a while, and nobody else may
            # begin the same until it ends.
            pass_fds=() if os.name == "nt" or self._lock is None else (self._lock,),
        )
        try:
            with process, self._log.open("a", buffering=1, encoding="utf-8") as log:
                log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} $ {' '.join(command)}\n")
                for line in process.stderr or ():
                    complaints.append(line)
                    sys.stderr.write(line)
                    log.write(line)
        except BaseException:
            # Ctrl-C reaches the child by itself; this is for every other way out.
            process.terminate()
            process.wait()
            raise
        if process.returncode == 0:
            return
        # The exit status counts, not the output: pip prints warnings that look like errors.
        said = "".join(complaints)
        reason = reason_of(said)
        free = shutil.disk_usage(self.folder).free / 1e9
        space = f" ({free:.1f} GB are free there.)" if reason.kind == "space" else ""
        errors = "".join(f"  {line}\n" for line in last_errors(said))
        raise SetupFailure(
            f"Setting up failed while {doing}: {reason.message}.\n{errors}"
            f"What to do: {reason.hint}{space} Then start again: it goes on from here.\n"
            f"What it complained of: {self._log}",
            reason.kind,
        )

    def _usable_version(self) -> str | None:
        """Version ("3.11") of the environment's Python if it runs and is new enough."""
        version = self._ask(self._python, "-I", "-c", _VERSION)
        if version is None or [int(part) for part in version.split(".")] < [3, 11]:
            return None
        return version if packages_of(self.root, version).is_dir() else None

    def _ask(self, *command: str) -> str | None:
        """What a short command prints; None where it fails."""
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return ran.stdout.strip() if ran.returncode == 0 else None

    def _installed(self, version: str) -> dict[str, str]:
        return installed([packages_of(self.root, version)])

    def _unmet(self, version: str) -> list[str]:
        return unmet(project_lines(self.root, self.extras), self._installed(version))

    def _write_stamp(self, version: str) -> None:
        write_stamp(self.root, Stamp(digest_of(self.root), version, self.extras))


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def require_venv(base: str) -> None:
    """Make sure that a Python can make environments with pip in them (Debian splits that off).

    Raises:
        SetupFailure: It can't; says which package brings it.
    """
    ran = subprocess.run([base, "-c", "import venv, ensurepip"], capture_output=True, check=False)
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
        f"{line or 'install Python from python.org'}, then start again."
    )


def _may_be_changed(folder: Path) -> bool:
    """Whether a .venv is an environment, or what was left of making one."""
    if not folder.is_dir():
        return False
    entries = {entry.name for entry in folder.iterdir()}
    return not entries or bool(entries & {"pyvenv.cfg", LOCK_NAME, LOG_NAME})
