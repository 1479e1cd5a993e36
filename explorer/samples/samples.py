"""Sentences to begin with: each shows what a model has learned, or gives a page all it needs.

Those of the program lie in resources/samples, a plugin's in the samples.toml of its question.
"""

from functools import cache

from explorer.paths import own_resources
from explorer.questions import brought
from explorer.samples.sample_files import FILE, Sample, read_samples


def samples() -> tuple[Sample, ...]:
    """All of them, in the order of the menu; those that plugins bring come last."""
    return (*_own(), *(one for of in brought().values() for one in of.samples))


@cache
def _own() -> tuple[Sample, ...]:
    return read_samples(own_resources() / "samples" / FILE)


def first_sample() -> Sample:
    """What a first start shows."""
    return _own()[0]


def sample_of(view: str) -> Sample:
    """The first sample made for a view; the very first one where none is."""
    return next((one for one in samples() if one.view == view), first_sample())
