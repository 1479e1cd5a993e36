"""What shops and package collections make the program from, each read by its own validator."""

import hashlib
import json
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import explorer
from explorer.installers import __main__ as command_line
from explorer.installers.stores.about import StoreFacts
from explorer.installers.stores.conda import requirement
from hatch_build import for_an_index

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://github.com/Some-One/plm-explorer"
ID = "io.github.some_one.plm_explorer"


@pytest.fixture
def made(tmp_path, capsys):
    sdist, bundle = tmp_path / "plm_explorer-9.9.tar.gz", tmp_path / "plm-explorer-9.9.tar.zst"
    sdist.write_bytes(b"sources")
    bundle.write_bytes(b"a bundle")
    out = tmp_path / "recipes"
    files = ["--sdist", str(sdist), "--bundle", str(bundle), "--out", str(out)]
    assert command_line.main(["recipes", "--repository", REPOSITORY, *files]) == 0
    written = sorted(Path(one) for one in capsys.readouterr().out.splitlines())
    assert written == sorted(one for one in out.rglob("*") if one.is_file())
    return out


def checked(program, *arguments, at=None):
    """Run a validator, where it is."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not there")
    ran = subprocess.run([program, *map(str, arguments)], cwd=at, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_software_centres_can_read_what_it_is(made):
    checked("appstreamcli", "validate", "--no-net", "--pedantic", made / f"linux/{ID}.metainfo.xml")
    told = ET.parse(made / f"linux/{ID}.metainfo.xml").getroot()
    assert told.findtext("id") == ID
    assert told.findtext("launchable") == f"{ID}.desktop"
    assert told.find("releases/release").get("version") == explorer.__version__
    for one in told.iter("image"):
        assert (ROOT / "docs/pictures" / one.text.rpartition("/")[2]).is_file()


def test_a_desktop_can_read_its_entry(made):
    checked("desktop-file-validate", made / f"linux/{ID}.desktop")
    assert f"\nIcon={ID}\n" in (made / f"linux/{ID}.desktop").read_text("utf-8")


def test_flatpak_reads_its_manifest(made):
    manifest = json.loads((made / f"linux/{ID}.json").read_text("utf-8"))
    (module,) = manifest["modules"]
    archive, *files = module["sources"]
    assert archive["sha256"] == hashlib.sha256(b"a bundle").hexdigest()
    assert archive["url"].startswith(f"{REPOSITORY}/releases/download/v{explorer.__version__}/")
    for one in files:
        assert (made / "linux" / one["path"]).is_file()
    shown = checked("flatpak-builder", "--show-manifest", made / f"linux/{ID}.json", at=made)
    assert json.loads(shown)["id"] == ID


def test_conda_needs_what_pip_needs(made):
    text = (made / "conda/recipe.yaml").read_text("utf-8")
    needed = text.partition("  run:\n")[2].partition("\ntests:")[0]
    lines = [one.strip(" -") for one in needed.splitlines() if one.strip()]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert lines[0] == "python >=3.11"
    assert lines[1:] == [requirement(one) for one in project["dependencies"]]
    assert "pytorch >=2.6" in lines
    assert "pyside6 >=6.8,!=6.11.0,!=6.11.1,!=6.12.0" in lines
    assert hashlib.sha256(b"sources").hexdigest() in text
    pixi = tomllib.loads((made / "pixi/pixi.toml").read_text("utf-8"))
    assert pixi["dependencies"] == {"plm-explorer": f">={explorer.__version__}"}


def test_nsis_makes_an_installer_of_a_frozen_folder(made, tmp_path):
    frozen, out = tmp_path / "frozen", tmp_path / "setup.exe"
    (frozen / "_internal").mkdir(parents=True)
    (frozen / "plm-explorer.exe").write_bytes(b"MZ")
    (frozen / "_internal/part").write_bytes(b"part")
    script = made / "windows/setup.nsi"
    assert not re.findall(r"@[A-Z_]+@", script.read_text("utf-8"))
    checked("makensis", "-V2", f"-DFOLDER={frozen}", f"-DOUT={out}", script)
    assert out.read_bytes()[:2] == b"MZ"


@pytest.mark.parametrize(
    "wrong", ["http://github.com/a/b", "github.com/a/b", "https://github.com/a"]
)
def test_what_is_no_repository_is_told(wrong, tmp_path, capsys):
    assert command_line.main(["recipes", "--repository", wrong, "--out", str(tmp_path)]) == 1
    assert "Write https://HOST/OWNER/NAME." in capsys.readouterr().err


def test_its_name_is_the_address_turned_round():
    of = StoreFacts.of(ROOT, "1.0", "https://code.school.edu/Team-1/plm/")
    assert of.app_id == "edu.school.code.team_1.plm"


def test_links_of_the_readme_lead_somewhere_from_an_index():
    text = (ROOT / "README.md").read_text("utf-8")
    there = for_an_index(text, REPOSITORY, "1.2")
    assert not re.findall(r"\]\((?!https?:|#)", there)
    assert f"]({REPOSITORY}/blob/v1.2/docs/plugins.md)" in there
    assert f"]({REPOSITORY}/raw/v1.2/docs/pictures/overview-dark.png)" in there
    alone = for_an_index(text, "", "1.2")
    assert not re.findall(r"\]\((?!https?:|#)", alone)
    assert "docs/pictures" not in alone
    assert "docs/plugins.md" in alone
    # What is linked is there.
    for place in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (ROOT / place).exists(), place


def test_the_citation_file_names_this_version():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {explorer.__version__}\n" in text
    assert f"## {explorer.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
