import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

import explorer.operations
from explorer.operations import all_operations, operation_of
from explorer.operations.fill_mask import FillMask


def test_every_file_is_an_operation_of_its_name():
    folder = Path(explorer.operations.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == set(all_operations())


@pytest.mark.parametrize("operation", all_operations().values(), ids=lambda one: one.name)
def test_requests_and_results_are_frozen_dataclasses(operation):
    for kind in (operation.request, operation.result):
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen
    assert operation.question.endswith("?")
    assert operation.title


def test_the_operation_of_a_request():
    assert operation_of(FillMask("x")).name == "fill_mask"
    with pytest.raises(KeyError):
        operation_of("x")


def test_listing_them_imports_no_torch():
    code = (
        "import sys; from explorer.operations import all_operations; assert all_operations();"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
