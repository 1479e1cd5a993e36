import pytest

from explorer.api.family.checkpoint import PublishedFigure
from explorer.published.against import against, rounding


@pytest.mark.parametrize(
    ("says", "worth"),
    [
        ("110M", 10e6),
        ("334M", 1e6),
        ("12M", 1e6),
        ("14.5M", 1e5),
        ("1.5B", 1e8),
        ("3B", 1e9),
        ("100M", 10e6),
        ("1,969,152", 1),
        ("12", 1),
        ("", 0),
    ],
)
def test_what_the_last_digit_is_worth(says, worth):
    assert rounding(says) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("measured", "agrees"), [(110_106_428, True), (115_000_000, True), (116_000_000, False)]
)
def test_a_figure_agrees_within_its_rounding(measured, agrees):
    figure = PublishedFigure("parameters", "110M", 110e6, "a paper", "because")
    found = against(figure, {"parameters": measured})
    assert found.agrees is agrees
    assert found.reason == ("" if agrees else "because")
    assert found.measured == measured


def test_what_nothing_counts_does_not_agree():
    found = against(PublishedFigure("teeth", "32", 32, "a paper"), {"parameters": 32})
    assert (found.agrees, found.measured) == (False, None)
