"""Numbers that were written for people are read back."""

import math

import pytest

from explorer.text.formatting.numbers import (
    decimal,
    percent,
    signed,
    significant,
    whole,
    with_minus,
)
from explorer.text.formatting.reading import number_said


@pytest.mark.parametrize("value", [0.0, 0.31, 12_000.0, -1234.5, 2.97e-9, -3e15, math.inf])
def test_what_was_written_is_read(value):
    texts = [significant(value, 6).replace("-", "−")]
    if math.isfinite(value):
        texts += [with_minus(value, 4), signed(value, 4)]
    for text in texts:
        number, side, unit = number_said(text)
        assert number == pytest.approx(value, abs=1e-4 if abs(value) > 1e-6 else 1e-8)
        assert (side, unit) == (0, "")


def test_units_and_bounds_are_told():
    assert number_said("< 0.01 %") == (0.01, -1, "%")
    assert number_said("> 99.9 %") == (99.9, 1, "%")
    assert number_said(whole(1_234_567)) == (1_234_567.0, 0, "")
    assert number_said(percent(0.15)) == (15.0, 0, "%")
    assert number_said("12 ms") == (12.0, 0, "ms")


@pytest.mark.parametrize("text", ["", "soup", "2 of 3", "1 × 2", "a 1", "–", "12 (3)"])
def test_what_is_no_number_is_none(text):
    assert number_said(text) is None


def test_a_comma_for_a_point_is_read(speak):
    speak("de", device="Rechenwerk")
    assert number_said(decimal(1234.5, 1)) == (1234.5, 0, "")
    assert number_said(whole(12_000)) == (12_000.0, 0, "")
