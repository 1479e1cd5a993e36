"""What was asked at a step stays asked, by the weights and the whole request."""

import sqlite3

import numpy as np
import pytest

from explorer.api.question import MachineFault, ModelStamp
from explorer.over_steps import kept
from explorer.over_steps.kept import FILE, KeptNumbers, key_of
from explorer.over_steps.numbers import FrameNumbers, NumberColumn, NumberTable
from explorer.text import Phrase

ONE = FrameNumbers(
    (NumberTable((), (NumberColumn("a", Phrase("accuracy")),), ((),), np.array([[0.5]])),)
)


def test_an_answer_is_there_after_another_start(tmp_path):
    with KeptNumbers(tmp_path / "new") as store:
        assert store.get("k") is None
        store.put("k", ONE)
    with KeptNumbers(tmp_path / "new") as store:
        (table,) = store.get("k").tables
        assert table.values.tolist() == [[0.5]]
        assert store.get("other") is None


def test_another_request_other_weights_or_another_number_type_is_another_answer():
    stamp = ModelStamp("x", "bert", "f" * 32, "cpu", "float32")
    keys = {
        key_of("masked_tokens", "{}", {"model": stamp}),
        key_of("surprisal", "{}", {"model": stamp}),
        key_of("masked_tokens", '{"top_k":1}', {"model": stamp}),
        key_of("masked_tokens", "{}", {"model": ("e" * 32, "float32")}),
        key_of("masked_tokens", "{}", {"model": ("f" * 32, "float16")}),
        key_of("masked_tokens", "{}", {"teacher": stamp}),
    }
    assert len(keys) == 6
    assert key_of("masked_tokens", "{}", {"model": ("f" * 32, "float32")}) in keys


def test_the_oldest_go_first_and_what_cant_be_read_is_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    with KeptNumbers(tmp_path) as store:
        for name in ("a", "b", "c"):
            store.put(name, ONE)
        assert [store.get(name) is not None for name in "abc"] == [False, True, True]
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE answers SET numbers = x'00' WHERE key = 'b'")
    database.close()
    with KeptNumbers(tmp_path) as store:
        assert store.get("b") is None
        assert store.get("c") is not None


def test_a_folder_that_cant_be_written_is_told_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineFault, match="can't be kept in"):
        KeptNumbers(tmp_path / "file")
