"""What a trial asks of a thin bundle that needs no rights of root's."""

import pytest

from explorer.installers.bare import checks, first_start
from explorer.installers.bare.debian import Root
from explorer.installers.failures import CheckFailure
from tests.installers.test_bare import played


def test_a_thin_bundle_is_known_by_what_it_lacks(tmp_path):
    root = Root(tmp_path / "root")
    for name, has in (("full", False), ("thin", True)):
        bundle = tmp_path / name
        bundle.mkdir()
        (bundle / "plm-explorer").touch()
        if has:
            (bundle / "engine").mkdir()
        root.home.mkdir(parents=True, exist_ok=True)
        root.hold(bundle)
        assert root.is_thin is has


def test_it_is_started_first_of_all_without_what_it_lacks():
    order = list(first_start.THIN)
    assert order.index("first_start") < order.index("prediction") < order.index("window")
    assert set(order) - {"first_start"} <= set(checks.ALL)


@pytest.mark.parametrize(
    ("script", "passes"),
    [
        ("echo 'It is not installed yet. Install it.' >&2; exit 1", True),
        ("echo 'It is not installed yet. Install it.'; exit 0", False),
        ("echo 'meal 0.36'; exit 1", False),
        ("echo Traceback; echo 'It is not installed yet.'; exit 1", False),
    ],
)
def test_a_refusal_is_one_line_and_a_faults_status(tmp_path, script, passes):
    root = played(tmp_path, script)
    if passes:
        first_start.refused(root, tmp_path, ["fill"], "not installed yet")
    else:
        with pytest.raises(CheckFailure, match="fill ended with"):
            first_start.refused(root, tmp_path, ["fill"], "not installed yet")


def test_the_root_reaches_what_this_machine_reaches(tmp_path, monkeypatch):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in ("torch-2.0-py3-none-any.whl", "other-1.0-py3-none-any.whl"):
        (wheels / name).write_text(name)
    monkeypatch.setenv("UV_FIND_LINKS", str(wheels))
    monkeypatch.setenv("UV_CACHE_DIR", "/only/here")
    root = Root(tmp_path / "root")
    told = first_start.network(root)
    assert told["UV_FIND_LINKS"] == str(wheels)
    assert "UV_CACHE_DIR" not in told
    inside = root.folder / str(wheels).lstrip("/")
    assert [path.name for path in inside.iterdir()] == ["torch-2.0-py3-none-any.whl"]
