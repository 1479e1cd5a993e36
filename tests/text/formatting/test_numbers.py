"""Numbers with so many digits that count, and powers of ten."""

from explorer.text.formatting.numbers import decimal, significant, ten_to, with_minus


def test_very_small_and_very_large_numbers_are_written_with_a_power_of_ten():
    assert significant(2.97e-9, 3, zeros=True) == "2.97 × 10⁻⁹"
    assert significant(5e-7, 3) == "5 × 10⁻⁷"
    assert significant(1.5e16, 3) == "1.5 × 10¹⁶"
    assert ten_to(-12) == "10⁻¹²"


def test_other_numbers_keep_their_digits():
    assert significant(0.361, 3, zeros=True) == "0.361"
    assert significant(1.8, 3, zeros=True) == "1.80"
    assert significant(1.8, 3) == "1.8"
    assert significant(0.0, 3, zeros=True) == "0"
    assert significant(128.0, 3, zeros=True) == "128"


def test_what_is_infinite_is_written_as_such():
    assert (decimal(float("inf"), 4), significant(float("inf"), 3)) == ("∞", "∞")
    assert with_minus(float("-inf"), 2) == "−∞"
