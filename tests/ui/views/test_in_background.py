"""Pages are imported while nobody waits; what is imported already takes no time at all."""

import time

from explorer.ui.views import import_in_background, views


def test_pages_that_are_there_already_are_passed_over(monkeypatch):
    assert views()
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    import_in_background().join()
    assert pauses == []
