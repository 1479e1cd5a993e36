"""Making, completing, repairing and giving up on the environment, with a played pip."""

import os
import sys

import pytest

from explorer.bootstrap.environment import Environment
from explorer.bootstrap.failures import SetupFailure
from explorer.bootstrap.stamp import is_current, python_of, read_stamp, write_stamp


@pytest.fixture
def project(tmp_path, monkeypatch):
    # Keeps a uv that this machine may have out of what is about pip.
    monkeypatch.setenv("PLAY_PIP_CONFIG", ":env:.no-index='1'")
    root = tmp_path / "a checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text(
        '[project]\nname="tiny"\ndependencies=["tiny-dependency>=1.0"]\n'
        '[project.optional-dependencies]\ntest=["tiny-dependency<9"]\n'
    )
    (root / "constraints.txt").write_text("tiny-dependency==1.2\n")
    return root


@pytest.fixture
def calls(tmp_path):
    def count(what):
        path = tmp_path / "calls.txt"
        return sum(what in line for line in path.read_text().splitlines()) if path.exists() else 0

    return count


def prepare(project, played_python, monkeypatch, play="", extras=()):
    monkeypatch.setenv("PLAY", play)
    Environment(project, extras, base=str(played_python)).prepare()


def test_makes_it_once(project, played_python, monkeypatch, calls, capfd):
    prepare(project, played_python, monkeypatch)
    assert is_current(project, ())
    assert (calls("-m venv"), calls("-m pip install")) == (1, 1)
    said = capfd.readouterr()
    assert "[1/3]" in said.err
    assert "Collecting tiny-dependency" in said.err
    assert "[3/3] Ready" in said.err
    assert said.out == ""
    assert "-c constraints.txt -e ." in (project / ".venv/setup.log").read_text()

    prepare(project, played_python, monkeypatch)
    assert calls("-m pip install") == 1
    assert capfd.readouterr().err == ""


def test_another_extra_completes_it_and_keeps_what_was_there(
    project, played_python, monkeypatch, calls
):
    prepare(project, played_python, monkeypatch, extras=("test",))
    assert calls("-e .[test]") == 1
    assert is_current(project, ("test",))
    assert is_current(project, ())
    (project / "constraints.txt").write_text("tiny-dependency==1.3\n")
    monkeypatch.setenv("PLAY_VERSION", "1.3")
    prepare(project, played_python, monkeypatch)
    assert read_stamp(project).extras == ("test",)
    assert calls("-m venv") == 1


@pytest.mark.parametrize(
    ("play", "message", "hint", "quoted"),
    [
        ("network", "package index could not be reached", "HTTPS_PROXY", "name resolution"),
        ("space", "disk is full", "GB are free there", "Errno 28"),
        ("permission", "could not be written", "owns this folder", "Errno 13"),
        ("version", "no version for this Python", "3.11, 3.12 or 3.13", "tiny-dependency>=1.0"),
        ("other", "the installer failed", "from scratch", "nobody knows"),
    ],
)
def test_failure_says_why_and_what_to_do_and_is_taken_up_again(
    project, played_python, monkeypatch, calls, play, message, hint, quoted
):
    with pytest.raises(SetupFailure) as caught:
        prepare(project, played_python, monkeypatch, play)
    text = str(caught.value)
    assert message in text
    assert hint in text
    assert quoted in text
    assert "setup.log" in text
    assert caught.value.kind == play
    assert read_stamp(project) is None

    prepare(project, played_python, monkeypatch)
    assert is_current(project, ())
    assert calls("-m venv") == 1, "what was made before the failure is used"


def test_changed_files_without_changed_packages_cost_nothing(
    project, played_python, monkeypatch, calls, capsys
):
    prepare(project, played_python, monkeypatch)
    capsys.readouterr()
    (project / "pyproject.toml").write_text(
        '[project]\nname="tiny"\ndescription="new"\ndependencies=["tiny-dependency>=1.1"]\n'
    )
    assert not is_current(project, ())
    prepare(project, played_python, monkeypatch)
    assert is_current(project, ())
    assert calls("-m pip install") == 1
    assert capsys.readouterr().err == ""


def test_new_pins_without_network_go_on_with_what_is_enough(
    project, played_python, monkeypatch, calls, capsys
):
    prepare(project, played_python, monkeypatch)
    (project / "constraints.txt").write_text("tiny-dependency==1.3\n")
    prepare(project, played_python, monkeypatch, "network")
    assert "going on with what is installed" in capsys.readouterr().err
    assert calls("--retries 1") == 1
    assert read_stamp(project) is not None
    assert not is_current(project, ()), "the next start tries again"
    monkeypatch.setenv("PLAY_VERSION", "1.3")
    prepare(project, played_python, monkeypatch)
    assert is_current(project, ())


def test_new_requirements_without_network_do_fail(project, played_python, monkeypatch):
    prepare(project, played_python, monkeypatch)
    (project / "pyproject.toml").write_text(
        '[project]\nname="tiny"\ndependencies=["tiny-dependency>=2.0"]\n'
    )
    with pytest.raises(SetupFailure, match="could not be reached"):
        prepare(project, played_python, monkeypatch, "network")
    assert read_stamp(project) is None


def test_pip_that_ends_well_but_forgets_something_is_not_believed(
    project, played_python, monkeypatch
):
    with pytest.raises(SetupFailure, match=r"not installed: tiny-dependency>=1\.0"):
        prepare(project, played_python, monkeypatch, "forgetful")
    assert read_stamp(project) is None


def test_half_made_environment_is_made_anew(project, played_python, monkeypatch, calls):
    folder = project / ".venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").touch()
    (folder / "bin/python").symlink_to(project / "gone")
    (folder / "leftover").touch()
    prepare(project, played_python, monkeypatch)
    assert is_current(project, ())
    assert not (folder / "leftover").exists()
    assert calls("-m venv") == 1


def test_environment_that_pip_chokes_on_is_made_anew(project, played_python, monkeypatch, calls):
    prepare(project, played_python, monkeypatch)
    (project / "constraints.txt").write_text("tiny-dependency==1.3\n")
    monkeypatch.setenv("PLAY_VERSION", "1.3")
    prepare(project, played_python, monkeypatch, "broken once")
    assert is_current(project, ())
    assert (calls("-m venv"), calls("-m pip install")) == (2, 3)


def test_environment_of_another_python_is_made_anew(project, played_python, monkeypatch, calls):
    prepare(project, played_python, monkeypatch)
    written = read_stamp(project)
    packages = project / f".venv/lib/python{written.python}"
    packages.rename(packages.with_name("python3.9"))
    write_stamp(project, written._replace(python="3.9"))
    (project / "constraints.txt").write_text("\n")
    prepare(project, played_python, monkeypatch)
    assert read_stamp(project).python == written.python
    assert calls("-m venv") == 2


def test_folder_that_is_no_environment_is_left_alone(project, played_python, monkeypatch):
    (project / ".venv").mkdir()
    (project / ".venv/thesis.txt").write_text("years of work")
    with pytest.raises(SetupFailure, match="not a virtual environment"):
        prepare(project, played_python, monkeypatch)
    assert (project / ".venv/thesis.txt").read_text() == "years of work"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_folder_that_may_not_be_written_is_named(project, played_python, monkeypatch):
    project.chmod(0o555)
    try:
        with pytest.raises(SetupFailure, match="could not be written"):
            prepare(project, played_python, monkeypatch)
    finally:
        project.chmod(0o755)


def test_python_without_venv_is_told_the_package(project, played_python, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda tool: tool if tool == "apt-get" else None)
    with pytest.raises(SetupFailure) as caught:
        prepare(project, played_python, monkeypatch, "no venv")
    version = "{}.{}".format(*sys.version_info[:2])
    assert f"sudo apt install python{version}-venv" in str(caught.value)


def test_uv_installs_where_it_is_there(
    project, played_python, played_uv, monkeypatch, calls, capfd
):
    monkeypatch.delenv("PLAY_PIP_CONFIG")
    with pytest.raises(SetupFailure, match="could not be reached") as caught:
        prepare(project, played_python, monkeypatch, "network")
    assert "Caused by: dns error" in str(caught.value)
    prepare(project, played_python, monkeypatch, extras=("test",))
    assert is_current(project, ("test",))
    assert (calls("uv venv"), calls("uv pip install")) == (1, 2)
    assert calls("-c constraints.txt -e .[test]") == 1
    assert calls("-m pip install") == 0
    assert "Resolved 1 package" in capfd.readouterr().err
    assert "Resolved 1 package" in (project / ".venv/setup.log").read_text()

    played_uv.unlink()
    (project / "constraints.txt").write_text("tiny-dependency==1.3\n")
    monkeypatch.setenv("PLAY_VERSION", "1.3")
    prepare(project, played_python, monkeypatch)
    assert is_current(project, ("test",))
    assert (calls("-m venv"), calls("-m ensurepip"), calls("-m pip install")) == (1, 1, 1)


@pytest.mark.parametrize(
    "told", ["global.index-url='file:///mirror'", ":env:.proxy='x'", "install.find-links='/w'"]
)
def test_a_mirror_or_proxy_that_only_pip_is_told_of_keeps_pip(
    project, played_python, played_uv, monkeypatch, calls, told
):
    monkeypatch.setenv("PLAY_PIP_CONFIG", told)
    prepare(project, played_python, monkeypatch)
    assert (calls("uv "), calls("-m pip install")) == (0, 1)


def test_environments_python_is_where_this_system_puts_it(project):
    expected = "Scripts" if os.name == "nt" else "bin"
    assert python_of(project).parent == project / ".venv" / expected
