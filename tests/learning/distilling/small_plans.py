"""Distillations that take no time, for tests."""

import dataclasses

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.recipes import begin

TINY = DistilPlan(
    teacher_layers=2,
    teacher_width=16,
    teacher_steps=4,
    layers=1,
    width=16,
    heads=2,
    vocabulary=200,
    documents=60,
    batch=6,
    steps=5,
    length=32,
)


def planned(**changed):
    """The tiny plan with some fields changed."""
    return dataclasses.replace(TINY, **changed)


def begun(**changed):
    """The run of it before its first step."""
    return begin(planned(**changed))
