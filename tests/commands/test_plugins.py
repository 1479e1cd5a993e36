"""`plugins`: what there is, what each is for, and how one comes and goes."""

import io
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from explorer.engine.plugins.published import list_in, published_plugins
from explorer.paths import own_resources
from tests import plugin_question

ROOT = Path(__file__).resolve().parents[2]


class Terminal(io.StringIO):
    """Somebody types this."""

    def isatty(self):
        return True


def test_each_says_what_it_is_for_and_what_it_can_be_asked(told):
    records = {one["id"]: one for one in json.loads(told("plugins", "--json"))}
    for name, one in records.items():
        assert re.fullmatch(r"[A-Z].{20,}\.", one["about"]), name
        assert one["asked"], name
    assert "Disentangled attention" in records["deberta"]["asked"]
    assert "Disentangled attention" not in records["bert"]["asked"]
    assert "Entities" in records["ernie_thu"]["asked"]
    assert "BERT miniature" in records["bert"]["models"]
    line = next(one for one in told("plugins").splitlines() if one.startswith("bert "))
    told_of_it = f"works  {len(records['bert']['asked'])}  {records['bert']['about']}"
    assert told_of_it in re.sub("  +", "  ", line)


def test_one_comes_goes_and_is_switched_off(told, run, profile, tmp_path, monkeypatch):
    folder = plugin_question.write(tmp_path / "own")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", folder)
    place = profile / "data" / "plugins" / "word-lengths"
    # Nothing is added before somebody has agreed.
    said = told("plugins", "add", folder, status=2)
    assert "send what it reads over the network" in said
    assert "Say --yes if this is what you want." in said
    monkeypatch.setattr(sys, "stdin", Terminal("no\n"))
    assert "Nothing was changed." in told("plugins", "add", folder, status=2)
    assert not place.exists()
    monkeypatch.setattr(sys, "stdin", Terminal("yes\n"))
    added = json.loads(told("plugins", "add", packed, "--json"))
    assert (added["id"], added["location"], added["problem"]) == ("word-lengths", str(place), "")
    assert added["questions"] == ["Expected length"]
    assert "is there already" in told("plugins", "add", folder, "--yes", status=2)
    assert told("plugins", "off", "word-lengths").startswith("Word lengths 1.0 · switched off")
    assert told("plugins", "on", "word-lengths").startswith("Word lengths 1.0 · works")
    assert "comes with the program" in told("plugins", "remove", "bert", status=2)
    assert "no plugin named nobody" in told("plugins", "show", "nobody", status=2)
    assert told("plugins", "remove", "word-lengths", "--yes").strip() == f"Removed: {place}"
    assert not place.exists()


def test_the_list_of_published_ones_is_a_file(told, tmp_path):
    own = published_plugins(list_in(own_resources()))
    assert [
        one["name"] for one in json.loads(told("plugins", "list", "--published", "--json"))
    ] == [one.name for one in own]
    if not own:
        assert told("plugins", "list", "--published").startswith("No plugin of other people")
    entry = 'name = "a"\nabout = "B."\nwhere = "https://c/d"\nversion = "1"\nlicence = "MIT"\n'
    path = tmp_path / "published.toml"
    path.write_text(f"[[plugins]]\n{entry}checked = 2026-01-31\n", "utf-8")
    (found,) = published_plugins(path)
    assert (found.name, found.where, found.checked.isoformat()) == (
        "a",
        "https://c/d",
        "2026-01-31",
    )
    for wrong in (entry, entry.replace("https", "http") + "checked = 2026-01-31\n"):
        path.write_text(f"[[plugins]]\n{wrong}", "utf-8")
        with pytest.raises(ValueError, match=r"checked|where"):
            published_plugins(path)
