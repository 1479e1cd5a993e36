"""Which benchmarks are run is typed as in every other command."""

from unittest import mock

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.__main__ import MODULES, names_of
from benchmarks.row import NotMeasured


def test_rows_are_named_and_none_means_all():
    assert names_of([]) == []
    assert names_of(["lens", "latency"]) == ["lens", "latency"]


@pytest.mark.parametrize(("typed", "status"), [("--help", 0), ("lenses", 2)])
def test_help_and_another_name_are_answered_with_the_names(typed, status, capsys):
    with pytest.raises(SystemExit) as end:
        names_of([typed])
    assert end.value.code == status
    said = "".join(capsys.readouterr())
    assert all(name in said for name in MODULES)


def test_rows_of_another_machine_stay_where_this_one_has_no_gpu(tmp_path, monkeypatch):
    page = tmp_path / "README.md"
    page.write_text("| what | ours |\n|---|---|\n| fill on cuda:0 | 7.7 ms |\n", encoding="utf-8")
    monkeypatch.setattr(benchmarks, "README", page)
    for module, said in (("accelerator", " on cuda"), ("lens", "")):
        fault = NotMeasured("all of it", "nothing is at hand", elsewhere=said)
        monkeypatch.setattr(f"benchmarks.{module}.measure", mock.Mock(side_effect=fault))
    assert benchmarks.main(["accelerator"]) == 0
    assert "| fill on cuda:0 | 7.7 ms |" in page.read_text(encoding="utf-8")
    assert "not measured" not in page.read_text(encoding="utf-8")
    assert benchmarks.main(["lens"]) == 0
    assert "| all of it |  |  | not measured |" in page.read_text(encoding="utf-8")
