import threading

from explorer.engine.messages import Ask, Call
from explorer.engine.process.lanes import Lanes


def call(lane: str, number: int) -> Call:
    return Call(lane, number, Ask(None))


def test_calls_are_taken_in_the_order_they_came() -> None:
    lanes = Lanes()
    for lane in "abc":
        assert lanes.put("room", call(lane, 1)) == ()
    taken = [lanes.take("room", 0) for _ in range(3)]
    assert [job.call.lane for job in taken if job] == ["a", "b", "c"]
    assert lanes.take("room", 0) is None


def test_a_newer_call_takes_out_the_one_that_waits() -> None:
    lanes = Lanes()
    lanes.put("room", call("view", 1))
    assert lanes.put("room", call("view", 2)) == (call("view", 1),)
    job = lanes.take("room", 0)
    assert job is not None
    assert job.call.number == 2
    assert not job.cancelled.is_set()
    assert lanes.take("room", 0) is None


def test_a_newer_call_does_not_overtake_a_load_asked_for_in_between() -> None:
    lanes = Lanes()
    lanes.put("room", call("view", 1))
    lanes.put("room", call("load", 1))
    lanes.put("room", call("view", 2))
    taken = [lanes.take("room", 0) for _ in range(2)]
    assert [(job.call.lane, job.call.number) for job in taken if job] == [("load", 1), ("view", 2)]


def test_a_newer_call_flags_the_one_that_runs_in_any_room() -> None:
    lanes = Lanes()
    running, _ = lanes.begin("downloads", call("view", 1))
    other, _ = lanes.begin("downloads", call("other", 1))
    assert lanes.put("room", call("view", 2)) == ()
    assert running.cancelled.is_set()
    assert not other.cancelled.is_set()


def test_a_new_thread_of_its_own_replaces_what_waits() -> None:
    lanes = Lanes()
    lanes.put("room", call("view", 1))
    job, replaced = lanes.begin("downloads", call("view", 2))
    assert replaced == (call("view", 1),)
    assert not job.cancelled.is_set()


def test_cancel_stops_what_waits_and_what_runs_in_its_lane_only() -> None:
    lanes = Lanes()
    lanes.put("room", call("view", 1))
    running = lanes.take("room", 0)
    lanes.put("room", call("other", 1))
    assert lanes.cancel("view") == ()
    assert running is not None
    assert running.cancelled.is_set()
    assert lanes.cancel("other") == (call("other", 1),)
    assert lanes.take("room", 0) is None
    assert lanes.cancel("unknown") == ()


def test_a_finished_call_is_not_flagged() -> None:
    lanes = Lanes()
    lanes.put("room", call("view", 1))
    job = lanes.take("room", 0)
    assert job is not None
    lanes.finish(job)
    lanes.put("room", call("view", 2))
    assert not job.cancelled.is_set()


def test_idle_means_nothing_waits_and_nothing_runs() -> None:
    lanes = Lanes()
    assert lanes.wait_until_idle("room", 0)
    lanes.put("room", call("view", 1))
    assert not lanes.wait_until_idle("room", 0)
    job = lanes.take("room", 0)
    assert job is not None
    assert not lanes.wait_until_idle("room", 0)
    assert lanes.wait_until_idle("another", 0)
    threading.Timer(0.01, lanes.finish, [job]).start()
    assert lanes.wait_until_idle("room", 5)


def test_take_waits_for_a_call() -> None:
    lanes = Lanes()
    threading.Timer(0.01, lanes.put, ["room", call("view", 1)]).start()
    job = lanes.take("room", 5)
    assert job is not None
    assert job.call.lane == "view"
