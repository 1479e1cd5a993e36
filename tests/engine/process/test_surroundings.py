"""What the engine's process sets before libraries are imported."""

import os

from explorer.engine.process.surroundings import prepare_environment


def test_threads_that_wait_sleep_soon_unless_the_user_says_otherwise(monkeypatch):
    for given, expected in (({}, "10000"), ({"GOMP_SPINCOUNT": "7"}, "7")):
        environment = dict(given)
        monkeypatch.setattr(os, "environ", environment)
        prepare_environment()
        assert environment["GOMP_SPINCOUNT"] == expected
        assert environment["HF_HUB_OFFLINE"] == "1"
