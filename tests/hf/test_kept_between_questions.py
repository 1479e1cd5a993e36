"""What is kept between two questions: found by all that it depends on, bounded, and let go."""

import copy
import gc
import threading
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from explorer.api.family import Cancelled, Context, Mention
from explorer.hf.facts import kept_with
from explorer.hf.kept import forget, kept
from tests.hf import tiny


@dataclass(frozen=True)
class Asked:
    text: str
    top_k: int = 5


@pytest.fixture(autouse=True)
def nothing_kept():
    forget()
    yield
    forget()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


class Work:
    """Counts how often it is done."""

    def __init__(self, size=8):
        self.done, self.size = 0, size

    def __call__(self):
        self.done += 1
        return np.zeros(self.size, np.uint8)


def ask(work, **given):
    return kept("a test", work, **given)


def test_the_same_is_done_once_and_what_differs_in_a_field_for_itself():
    work = Work()
    first = ask(work, asked=Asked("a"))
    assert ask(work, asked=Asked("a", 5)) is first
    assert ask(work, asked=Asked("a", 6)) is not first
    assert ask(work, asked=Asked("b")) is not first
    assert work.done == 3


def test_one_name_is_one_kind_of_work():
    first = ask(Work())
    assert kept("another test", Work()) is not first
    assert ask(Work()) is first


def test_old_results_make_room_and_the_newest_stays():
    work = Work()
    first = ask(work, asked="a", most=2)
    ask(work, asked="b", most=2)
    assert ask(work, asked="a", most=2) is first
    ask(work, asked="c", most=2)
    assert ask(work, asked="a", most=2) is first
    assert work.done == 3
    ask(work, asked="b", most=2)
    assert work.done == 4
    large = Work(100)
    newest = ask(large, asked="d", room=50)
    assert ask(large, asked="d", room=50) is newest
    ask(work, asked="a", room=50)
    assert work.done == 5


def test_a_size_that_is_told_counts():
    work = Work()
    for text in "ab":
        ask(work, asked=text, room=15, size=len)
    ask(work, asked="a", room=15, size=len)
    assert work.done == 3


@pytest.mark.parametrize("error", [Cancelled, ValueError])
def test_work_that_does_not_end_leaves_nothing(error):
    def fail():
        raise error

    with pytest.raises(error):
        ask(fail)
    work = Work()
    assert ask(work) is ask(work)
    assert work.done == 1


def test_work_is_stopped_by_who_asked_for_it():
    def work(context):
        def make():
            context.check()
            return "done"

        return make

    with pytest.raises(Cancelled):
        ask(work(Context(is_cancelled=lambda: True)))
    assert ask(work(Context())) == "done"
    # What is known needs no work, and nothing of whoever did it.
    assert ask(work(Context(is_cancelled=lambda: True))) == "done"


def test_who_gives_way_in_the_middle_is_not_disturbed():
    def make():
        assert ask(lambda: "inner") == "inner"
        return "outer"

    assert ask(make) == "outer"


def test_threads_ask_at_once():
    start = threading.Barrier(4)
    wrong = []

    def many():
        start.wait()
        for number in [one % 7 for one in range(300)]:
            told = ask(lambda number=number: number, asked=number, most=3)
            wrong.extend([told] if told != number else [])

    threads = [threading.Thread(target=many) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def test_a_model_loaded_again_is_another_one(folder):
    first, second = tiny.load(folder), tiny.load(folder)
    assert first.stamp == second.stamp
    work = Work()
    assert ask(work, of=first) is not ask(work, of=second)


def test_what_the_model_reads_beside_the_words_counts(folder):
    model = tiny.load(folder)
    with_entities = replace(model, entities=(Mention(0, 3, "Q1"),))
    work = Work()
    assert ask(work, of=model) is not ask(work, of=with_entities)


def write(module):
    with torch.no_grad():
        next(module.parameters()).add_(1.0)


def exchange(module):
    layer = module.bert.encoder.layer[0].output.dense
    layer.weight = torch.nn.Parameter(layer.weight.detach().clone())


def put_other_data(module):
    parameter = next(module.parameters())
    parameter.data = parameter.data.clone()


def load_others(module):
    module.load_state_dict({name: one + 1 for name, one in module.state_dict().items()})


@pytest.mark.parametrize("change", [write, exchange, put_other_data, load_others])
def test_other_weights_in_the_same_module_are_another_model(folder, change):
    model = tiny.load(folder)
    work = Work()
    first = ask(work, of=model)
    assert ask(work, of=model) is first
    change(model.module)
    assert ask(work, of=model) is not first


def test_what_is_of_a_model_goes_with_it(folder):
    model = tiny.load(folder)
    result = torch.nn.Identity()
    ended = []
    import weakref

    weakref.finalize(result, ended.append, "gone")
    ask(lambda result=result: result, of=model)
    del result
    gc.collect()
    assert not ended
    del model
    gc.collect()
    assert ended


def test_what_is_of_what_is_kept_goes_with_that():
    class Captured:
        pass

    captured = ask(Captured)
    work = Work()
    first = ask(work, of=captured, asked="small")
    assert ask(work, of=captured, asked="small") is first
    forget()
    assert ask(work, of=captured, asked="small") is not first


def test_a_file_counts_as_it_stands(tmp_path):
    path, work = tmp_path / "one.txt", Work()
    path.write_text("a")
    first = ask(work, of=path)
    assert ask(work, of=path) is first
    path.write_text("ab")
    assert ask(work, of=path) is not first
    with pytest.raises(FileNotFoundError):
        ask(work, of=tmp_path / "none.txt")


def test_a_tokenizer_counts_as_it_is_written(folder):
    from tokenizers.normalizers import Lowercase

    first, second = tiny.load(folder).tokenizer, tiny.load(folder).tokenizer
    other = tiny.load(folder).tokenizer
    other.backend_tokenizer.normalizer = Lowercase()
    work = Work()
    assert ask(work, of=first) is ask(work, of=second)
    assert ask(work, of=first) is not ask(work, of=other)


class Thing:
    pass


def test_facts_stay_with_what_they_are_of_and_a_copy_has_its_own():
    asked = []

    @kept_with
    def fact(thing, *, of=""):
        asked.append((id(thing), of))
        return thing

    one = Thing()
    assert fact(one) is fact(one) is one
    assert fact(one, of="a") is one
    assert len(asked) == 2
    for other in (copy.copy(one), copy.deepcopy(one)):
        assert fact(other) is other
    assert fact(one) is one
    assert len(asked) == 4
