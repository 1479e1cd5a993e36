from explorer.engine.messages import Answer, Ask, Call, LoadModel, Progress, Ready, Stopped, Unload
from explorer.engine.process.call_tracker import CallTracker


def answer(ledger: CallTracker, call: Call) -> bool:
    return ledger.take(Answer(call.lane, call.number, None))


def test_numbers_grow_in_every_lane() -> None:
    ledger = CallTracker()
    assert [ledger.open("a", Ask(1)).number for _ in range(3)] == [1, 2, 3]
    assert ledger.open("b", Ask(1)).number == 1


def test_only_the_newest_call_is_told_of() -> None:
    ledger = CallTracker()
    old, new = ledger.open("a", Ask(1)), ledger.open("a", Ask(2))
    other = ledger.open("b", Ask(3))
    assert not ledger.take(Progress("a", old.number, "x"))
    assert not ledger.take(Stopped("a", old.number))
    assert not answer(ledger, old)
    assert ledger.take(Progress("a", new.number, "x"))
    assert answer(ledger, new)
    assert answer(ledger, other)
    assert ledger.take(Ready(1))


def test_a_call_that_a_newer_one_made_pointless_is_not_sent() -> None:
    ledger = CallTracker()
    old, new = ledger.open("a", Ask(1)), ledger.open("a", Ask(2))
    assert not ledger.send(old)
    assert ledger.send(new)


def test_what_was_sent_is_lost_and_what_was_not_waits() -> None:
    ledger = CallTracker()
    sent, waiting, failed, done = (ledger.open(lane, Ask(1)) for lane in "abcd")
    for call in (sent, failed, done):
        assert ledger.send(call)
    ledger.unsend(failed)
    assert answer(ledger, done)
    assert ledger.lose(unsent_too=False) == (sent,)
    assert not ledger.send(sent)
    assert ledger.send(waiting)
    assert ledger.send(failed)


def test_all_is_lost_where_no_other_process_comes() -> None:
    ledger = CallTracker()
    sent, waiting = ledger.open("a", Ask(1)), ledger.open("b", Ask(1))
    assert ledger.send(sent)
    assert ledger.lose(unsent_too=True) == (sent, waiting)
    assert ledger.lose(unsent_too=True) == ()


def test_a_pointless_call_is_not_among_the_lost() -> None:
    ledger = CallTracker()
    old = ledger.open("a", Ask(1))
    assert ledger.send(old)
    new = ledger.open("a", Ask(2))
    assert ledger.send(new)
    assert ledger.lose(unsent_too=False) == (new,)


def test_loads_are_remembered_in_their_order() -> None:
    ledger = CallTracker()
    for lane, request in (
        ("load:A", LoadModel("A", "one")),
        ("load:B", LoadModel("B", "two")),
        ("load:A", LoadModel("A", "three")),
    ):
        assert answer(ledger, ledger.open(lane, request))
    reloads = ledger.reloads()
    assert [(call.lane, call.number, call.request) for call in reloads] == [
        ("load:B", 2, LoadModel("B", "two")),
        ("load:A", 3, LoadModel("A", "three")),
    ]


def test_a_load_counts_even_if_its_answer_came_too_late_to_be_told() -> None:
    ledger = CallTracker()
    old = ledger.open("load:A", LoadModel("A", "one"))
    new = ledger.open("load:A", LoadModel("A", "two"))
    assert not answer(ledger, old)
    assert ledger.reloads() == ()  # the newer one, still open, will load the slot
    assert ledger.take(Stopped("load:A", new.number))
    assert [call.request for call in ledger.reloads()] == [LoadModel("A", "one")]


def test_what_was_unloaded_is_not_loaded_again() -> None:
    ledger = CallTracker()
    assert answer(ledger, ledger.open("load:A", LoadModel("A", "one")))
    assert answer(ledger, ledger.open("load:A", Unload("A")))
    assert ledger.reloads() == ()
