"""Sizes, counts and durations in words."""

import pytest

from explorer.text.formatting import quantities


@pytest.mark.parametrize(
    ("count", "said"),
    [(None, ""), (0, "0 B"), (999, "999 B"), (2_100_000, "2.1 MB"), (440_473_133, "440 MB"),
     (999_600, "1.0 MB"), (1_340_000_000, "1.3 GB"), (6.5e12, "6.5 TB")],
)  # fmt: skip
def test_bytes(count, said):
    assert quantities.in_bytes(count) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_600, "1 MB"), (438_000_000, "438 MB"),
     (1_340_000_000, "1.34 GB"), (6.54e12, "6.54 TB")],
)  # fmt: skip
def test_bytes_precisely(count, said):
    assert quantities.bytes_precisely(count) == said


@pytest.mark.parametrize(
    ("count", "said"), [(None, ""), (950, "950"), (1_049_922, "1.0 M"), (175_000_000_000, "175 B")]
)
def test_counts(count, said):
    assert quantities.in_words(count) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0001, "under 1 ms"), (0.012, "12 ms"), (0.9999, "1.0 s"), (3.42, "3.4 s"),
     (125, "2 min 5 s"), (3725, "1 h 2 min")],
)  # fmt: skip
def test_what_something_took(seconds, said):
    assert quantities.took(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.00123, "1.23 ms"), (2.5, "2.50 s"), (0.00068, "0.680 ms")]
)
def test_what_was_measured(seconds, said):
    assert quantities.measured(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.1, "1 s"), (40.4, "40 s"), (59.7, "1 min"), (150, "2 min"), (3599, "1 h 0 min"),
     (4800, "1 h 20 min")],
)  # fmt: skip
def test_roughly(seconds, said):
    assert quantities.roughly(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(2, "a few seconds left"), (32, "30 s left"), (300, "5 min left")]
)
def test_what_is_left_of_a_download(seconds, said):
    assert quantities.left_of_download(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "almost done"), (12.3, "12 s left"), (90, "2 min left"), (7300, "2 h 2 min left")],
)
def test_what_is_left_of_work(seconds, said):
    assert quantities.left_of_work(seconds) == said
