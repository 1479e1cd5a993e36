"""Which benchmarks are run is typed as in every other command."""

import pytest

from benchmarks.__main__ import MODULES, names_of


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
