import subprocess
import sys

from explorer.api.family import Family
from explorer.engine.plugins.plugin import MEMBERS
from tests.hf import tiny


def test_a_family_described_in_toml_and_tensors_is_one():
    assert isinstance(tiny.families().family("bert"), Family)
    assert not isinstance(object(), Family)


def test_the_host_names_every_member_that_is_lacking():
    members = {name for name in vars(Family) if not name.startswith("_")}
    members |= set(Family.__annotations__)
    assert members == set(MEMBERS)


def test_the_api_stands_on_the_standard_library_and_numpy():
    code = (
        "import sys, explorer.api;"
        "own = {m.partition('.')[0] for m in sys.modules} - set(sys.stdlib_module_names);"
        "own -= {'explorer', 'numpy', '__main__', '__mp_main__'};"
        "own = {m for m in own if not m.startswith(('_', 'sitecustomize', 'distutils'))};"
        "assert not own, own"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
