import dataclasses
import itertools
import threading

import pytest

from explorer.api.question import UserMistake
from explorer.files_of_sentences.runners import blocks as module
from explorer.files_of_sentences.runners.blocks import Pending, SentenceBlock, blocks
from explorer.files_of_sentences.sentences import FileSentence
from tests.hf import tiny


def sentences(count, text="the cat sat"):
    return [FileSentence(number + 1, text) for number in range(count)]


def sizes(every, done=0, models=None):
    return [len(one.sentences) for one in blocks(iter(every), done, models or {})]


def test_the_first_row_is_soon_there_and_then_they_come_by_hundreds():
    assert sizes(sentences(600)) == [1, 32, 256, 256, 55]
    assert sizes([]) == []


@pytest.mark.parametrize("done", [1, 33, 289])
def test_a_run_that_goes_on_has_the_blocks_it_would_have_had(done):
    whole = list(blocks(iter(sentences(600)), 0, {}))
    assert list(blocks(iter(sentences(600)), done, {})) == [b for b in whole if b.first >= done]


def test_a_block_that_is_half_done_is_gone_on_with():
    (first, *_) = blocks(iter(sentences(600)), 40, {})
    assert (first.first, len(first.sentences)) == (40, 249)
    assert first.sentences[0].number == 41


def test_long_sentences_and_large_models_make_small_blocks(tmp_path):
    assert max(sizes(sentences(200, "a" * (module.CHARACTERS - 1)))) == 1
    model = tiny.load(tiny.save_bert(tmp_path / "m"))
    usual = sizes(sentences(200), models={"model": model})
    assert usual == [1, 32, 167]

    class Large:
        stamp = model.stamp

        class module:  # noqa: N801
            @staticmethod
            def parameters():
                class All:
                    @staticmethod
                    def numel():
                        return 110_000_000

                return [All]

    small = sizes(sentences(200, "the cat sat on the mat and liked the movie"), models={"m": Large})
    assert 1 < max(small) < 32
    on_gpu = type("OnGpu", (Large,), {"stamp": dataclasses.replace(model.stamp, device="cuda:0")})
    assert max(sizes(sentences(200), models={"m": on_gpu})) > max(small)


def test_each_block_is_taken_once_and_what_is_left_of_one_goes_to_another():
    pending = Pending(blocks(iter(sentences(40)), 0, {}))
    first, second, third = pending.take(), pending.take(), pending.take()
    assert [one.first for one in (first, second, third)] == [0, 1, 33]
    assert pending.take() is None
    assert not pending.all_done
    pending.done()
    pending.give_back(second.after(2))
    assert pending.take() == SentenceBlock(3, second.sentences[2:])
    pending.give_back(SentenceBlock(40, ()))
    pending.done()
    assert pending.all_done


def test_who_waits_is_given_what_another_one_gives_back():
    pending = Pending(blocks(iter(sentences(1)), 0, {}))
    block, room, found = pending.take(), threading.Event(), []
    room.set()
    waiting = threading.Thread(target=lambda: found.append(pending.wait_for_one(room)))
    waiting.start()
    pending.give_back(block)
    waiting.join(10)
    assert found == [block]
    waiting = threading.Thread(target=lambda: found.append(pending.wait_for_one(room)))
    waiting.start()
    pending.done()
    waiting.join(10)
    assert found == [block, None]


def test_a_file_that_cannot_be_read_on_is_told_to_everybody():
    def broken():
        yield FileSentence(1, "the cat")
        yield FileSentence(2, "the dog")
        raise UserMistake("It is no text.")

    pending = Pending(blocks(broken(), 0, {}))
    assert pending.take().first == 0
    for _ in range(2):
        with pytest.raises(UserMistake, match="no text"):
            list(itertools.takewhile(bool, iter(pending.take, None)))
    assert not pending.all_done
