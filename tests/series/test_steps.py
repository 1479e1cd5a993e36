import pytest

from explorer.api.question import UserMistake
from explorer.series.steps import chosen, step_of


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("checkpoint-500", 500),
        ("step1000", 1000),
        ("step0", 0),
        ("step1000-tokens4B", 1000),
        ("google/multiberts-seed_0-step_20k", 20_000),
        ("global_step143000", 143_000),
        ("main", None),
        ("v1.0", None),
        ("misstep12", None),
        ("step12x", None),
        ("0123456789abcdef0123456789abcdef01234567", None),
    ],
)
def test_a_name_says_its_step(name: str, step: int | None) -> None:
    assert step_of(name) == step


def test_steps_are_typed_one_by_one_as_a_range_or_all() -> None:
    known = (1000, 1, 10, 100)
    assert chosen("all", known) == (1, 10, 100, 1000)
    assert chosen("100, 1", known) == (1, 100)
    assert chosen("5-500,1000", known) == (10, 100, 1000)


@pytest.mark.parametrize("text", ["", "ten", "10,", "-5", "10--20"])
def test_what_is_no_step_is_refused(text: str) -> None:
    with pytest.raises(UserMistake, match="names no steps"):
        chosen(text, (1, 10))


def test_a_step_that_was_not_kept_is_refused_with_those_that_were() -> None:
    with pytest.raises(UserMistake, match="no step 11") as caught:
        chosen("10,11", (100, 10))
    assert caught.value.hint == "Its steps are 10, 100."
    with pytest.raises(UserMistake) as caught:
        chosen("7-9", range(10, 500, 10))
    assert caught.value.hint.endswith("110, …, 490.")
