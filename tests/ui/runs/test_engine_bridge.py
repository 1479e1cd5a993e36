from explorer.api.question import Blame, Failure
from explorer.engine.messages import Answer, ListPlugins
from explorer.ui.runs.engine_bridge import EngineBridge, Reply


class Heard:
    def __init__(self):
        self.events = []

    def reply(self):
        def note(kind):
            return lambda *args: self.events.append((kind, *args))

        kinds = ("answered", "failed", "stopped", "progressed", "lost")
        return Reply(**{kind: note(kind) for kind in kinds})

    @property
    def kinds(self):
        return [event[0] for event in self.events]


def test_an_answer_comes_on_the_windows_thread_and_after_submit_returned(bridge, engine, qtbot):
    heard = Heard()
    bridge.submit("plugins", ListPlugins(), heard.reply())
    assert heard.kinds == []  # told later, not inside submit
    qtbot.waitUntil(lambda: heard.kinds == ["answered"])
    assert heard.events[0][1].result == engine.plugins
    assert bridge.busy == ()


def test_of_two_calls_in_a_lane_only_the_newer_is_heard(bridge, engine, qtbot):
    engine.held.add("plugins")
    older, newer = Heard(), Heard()
    bridge.submit("plugins", ListPlugins(), older.reply())
    number = bridge.submit("plugins", ListPlugins(), newer.reply())
    engine.listener(Answer("plugins", number - 1, "late"))
    engine.release("plugins")
    qtbot.waitUntil(lambda: newer.kinds == ["answered"])
    assert older.kinds == []


def test_failures_progress_and_cancelling_reach_the_reply(bridge, engine, qtbot):
    engine.held.add("plugins")
    heard = Heard()
    bridge.submit("plugins", ListPlugins(), heard.reply())
    engine.progress("plugins", "reading", 1, 2)
    bridge.cancel("plugins")
    qtbot.waitUntil(lambda: heard.kinds == ["progressed", "stopped"])
    engine.held.clear()
    engine.failures["plugins"] = Failure(Blame.BUG, "It broke.")
    bridge.submit("plugins", ListPlugins(), heard.reply())
    qtbot.waitUntil(lambda: heard.kinds[-1] == "failed")


def test_a_forgotten_lane_is_cancelled_and_tells_nobody(bridge, engine, qtbot):
    engine.held.add("plugins")
    heard = Heard()
    bridge.submit("plugins", ListPlugins(), heard.reply())
    with qtbot.waitSignal(bridge.unasked):
        bridge.forget("plugins")
    assert engine.cancelled == ["plugins"]
    assert heard.kinds == []


def test_what_the_engine_loses_when_it_dies_is_told(bridge, engine, qtbot):
    engine.held.add("plugins")
    heard = Heard()
    bridge.submit("plugins", ListPlugins(), heard.reply())
    with qtbot.waitSignal(bridge.died):
        engine.die("It was killed.")
    assert heard.events == [("lost", "It was killed.")]
    assert bridge.busy == ()


def test_after_close_nothing_is_heard_and_nothing_is_sent(engine, qtbot, qapp):
    bridge = EngineBridge(engine)
    bridge.start()
    engine.held.add("plugins")
    heard = Heard()
    bridge.submit("plugins", ListPlugins(), heard.reply())
    bridge.close()
    engine.listener(Answer("plugins", 1, "late"))
    qapp.processEvents()
    assert heard.kinds == []
    assert bridge.submit("plugins", ListPlugins(), heard.reply()) == 0
    assert engine.is_closed
