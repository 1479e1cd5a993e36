"""The factory's command that compares objectives for pairs, in runs of two steps."""

import dataclasses
import json

import numpy as np
import pytest
import torch

from explorer.objectives import IGNORED
from explorer.pretraining.pair_objectives import measuring, packed, what_follows
from explorer.pretraining.pair_objectives.__main__ import main, plan
from explorer.pretraining.pair_objectives.ways import (
    EXAMPLES,
    FORMAT_WAYS,
    OBJECTIVE_WAYS,
    TOKENS,
    ObjectiveFormat,
    WayRecipe,
)
from explorer.published.pair_objectives import (
    DOCUMENT,
    FULL,
    NEXT,
    NONE,
    ORDER,
    SEGMENTS,
    SENTENCES,
    read_compared,
)
from explorer.world.corpus import sentence_words
from explorer.world.courses.corpus import held_out_courses, training_courses
from explorer.world.courses.grammar import courses
from explorer.world.courses.order import happening

SMALL = ["--steps", "2", "--documents", "60", "--tested", "12", "--seeds", "1"]


@pytest.fixture(scope="module")
def texts():
    return training_courses(400)


@pytest.fixture(scope="module")
def tokenizer():
    return WayRecipe(OBJECTIVE_WAYS[0]).make_tokenizer(())


def test_the_command_trains_every_way_and_goes_on_where_it_was_stopped(tmp_path, capsys):
    out = tmp_path / "runs.json"
    assert main([*SMALL, "--out", str(out)]) == 0
    found = read_compared(out)
    assert [(run.objective, run.format) for run in found.runs] == [
        (NONE, SEGMENTS),
        (NEXT, SEGMENTS),
        (ORDER, SEGMENTS),
        (NEXT, SENTENCES),
        (NONE, FULL),
        (NONE, DOCUMENT),
    ]
    for objective in (NONE, NEXT, ORDER):
        (run,) = found.of(objective)
        assert set(run.classifier) == {NEXT, ORDER}
        assert set(run.head) == (set() if objective == NONE else {NEXT, ORDER})
    assert 0.0 < found.floor < min(run.loss for run in found.runs)
    whole = out.read_text("utf-8")

    # Stopped before its last run: the same command trains that one, and none of the others.
    page = json.loads(whole)
    *kept, last = page["runs"]
    kept[0]["loss"] = 99.0
    out.write_text(json.dumps({**page, "runs": kept}), "utf-8")
    capsys.readouterr()
    assert main([*SMALL, "--out", str(out)]) == 0
    again = json.loads(out.read_text("utf-8"))["runs"]
    assert again == [*kept, last], "from its seed, a run comes out as it did"
    assert len(capsys.readouterr().out.splitlines()) == 1

    assert main([*SMALL[2:], "--steps", "3", "--out", str(out)]) == 2
    assert "other settings (steps)" in capsys.readouterr().err
    assert json.loads(out.read_text("utf-8"))["runs"] == again


def test_the_plan_has_five_seeds_of_each_objective_and_two_of_each_format():
    counted = {way: [seed for one, seed in plan(None) if one == way] for way, _ in plan(None)}
    assert set(counted) == {*OBJECTIVE_WAYS, *FORMAT_WAYS}
    assert all(counted[way] == [0, 1, 2, 3, 4] for way in OBJECTIVE_WAYS)
    assert all(counted[way] == [0, 1] for way in FORMAT_WAYS if way not in OBJECTIVE_WAYS)


def test_every_word_of_the_courses_is_one_piece(tokenizer):
    assert all(len(tokenizer.tokenize(word)) == 1 for word in courses().words())


@pytest.mark.parametrize("way", EXAMPLES, ids=str)
def test_all_ways_read_as_many_tokens(way, texts, tokenizer):
    batches = WayRecipe(way).make_batches(tokenizer, texts, 0)
    read = [int(batches.batch(step)["attention_mask"].sum()) for step in range(128)]
    assert np.mean(read) == pytest.approx(TOKENS, rel=0.06)


def batch(way, texts, tokenizer):
    made = WayRecipe(way).make_batches(tokenizer, texts, 0)
    # What stood there, without masks.
    made.reading = dataclasses.replace(
        made.reading, masking=dataclasses.replace(made.reading.masking, masked=0.0, random=0.0)
    )
    return made.batch(0)


def segments(row, tokenizer):
    """The texts of a row, split at separators."""
    read = tokenizer.decode(row).replace("[CLS]", "").replace("[PAD]", "")
    return [part.strip() for part in read.split("[SEP]") if part.strip()]


def test_formats_read_what_their_names_say(texts, tokenizer):
    told = {" ".join(document.sentences).lower() for document in texts}

    def plain(text):
        return text.replace(" .", ".")

    rows = batch(ObjectiveFormat(NONE, DOCUMENT), texts, tokenizer)["input_ids"]
    for row in rows:
        (text,) = segments(row, tokenizer)
        assert plain(text) in told
    for row in batch(ObjectiveFormat(NONE, FULL), texts, tokenizer)["input_ids"]:
        *whole, rest = map(plain, segments(row, tokenizer))
        assert whole
        assert set(whole) <= told, "documents one after the other"
        assert any(one.startswith(rest) for one in told)
    pairs = batch(ObjectiveFormat(NEXT, SENTENCES), texts, tokenizer)
    for row in pairs["input_ids"]:
        assert [part.count(".") for part in segments(row, tokenizer)] == [1, 1]


def test_objectives_pair_what_their_names_say(texts, tokenizer):
    told = {" ".join(document.sentences).lower() for document in texts}
    for objective in (NEXT, ORDER, NONE):
        read = batch(ObjectiveFormat(objective, SEGMENTS), texts, tokenizer)
        labels = read["next_sentence_label"].tolist()
        assert set(labels) == ({IGNORED} if objective == NONE else {0, 1})
        for row, label in zip(read["input_ids"], labels, strict=True):
            first, second = (part.replace(" .", ".") for part in segments(row, tokenizer))
            assert (f"{first} {second}" in told) == (label in (0, IGNORED))
            if objective == ORDER:
                assert f"{second} {first}" in told or label == 0


def test_who_knows_the_world_is_always_right_for_no_pair_is_of_one_topic_by_chance(tokenizer):
    unseen = held_out_courses(300)
    for task in measuring.TASKS:
        pairs = measuring.draw_pairs(tokenizer, unseen, task, 0)
        assert measuring.knowing_reader(tokenizer, pairs) == 1.0
        for row in pairs.rows:
            before, after = (topic(tokenizer, side) for side in (row.first, row.second))
            assert (before == after) == (task == ORDER or row.label == 0)


def test_what_does_not_follow_is_of_another_topic_in_training_too(texts, tokenizer):
    batches = WayRecipe(ObjectiveFormat(NEXT, SEGMENTS)).make_batches(tokenizer, texts, 0)
    rng = np.random.default_rng(0)
    pairs = [batches.draw(number, rng).pair for number in range(2 * len(texts))]
    assert 0.4 < np.mean([pair.label for pair in pairs]) < 0.6
    for pair in pairs:
        before, after = (topic(tokenizer, side) for side in (pair.first, pair.second))
        assert (before == after) == (pair.label == 0)


def topic(tokenizer, numbers):
    words = tuple(tokenizer.convert_ids_to_tokens(list(numbers)))
    return happening(next(sentence_words(words))).topic


def test_what_follows_is_the_next_step_and_is_asked_of_no_finished_work(texts, tokenizer):
    asked = what_follows.draw_continuations(tokenizer, texts)
    assert 0.6 * len(texts) < len(asked.following) < len(texts)
    assert len(asked.following) == len(asked.texts.rows)
    assert len(set(asked.following.tolist())) > 100


def test_why_packed_texts_are_late_is_asked_run_by_run(tmp_path):
    out = tmp_path / "packed.json"
    few = ["--steps", "2", "--documents", "60", "--places", "6", "--seeds", "1", "--out", str(out)]
    assert packed.main(few) == 0
    page = json.loads(out.read_text("utf-8"))
    assert [(run["way"], run["seed"]) for run in page["runs"]] == [
        (way, 0) for way in (DOCUMENT, FULL, packed.WITHIN, packed.ANEW)
    ]
    assert page["command"] == "python -m explorer.pretraining.pair_objectives.packed"
    assert packed.main(few) == 0
    assert json.loads(out.read_text("utf-8")) == page


def test_within_documents_no_other_one_is_seen(texts):
    model, tokenizer = packed.run_of(packed.WITHIN, texts[:60], 0, 1)
    separator, begin = tokenizer.sep_token_id, tokenizer.cls_token_id
    tokens = torch.tensor([[begin, 10, 11, separator, 12, 13, separator, 0]])
    seen = torch.tensor([[1] * 7 + [0]])
    allowed = packed.own_document(tokens, seen, separator)
    assert allowed[0, 0, 1].tolist() == [True] * 4 + [False] * 4
    assert allowed[0, 0, 5].tolist() == [False] * 4 + [True] * 3 + [False]
    changed = tokens.clone()
    changed[0, 5] = 50
    with torch.inference_mode():
        before, after = (
            model.bert(one, attention_mask=allowed).last_hidden_state for one in (tokens, changed)
        )
    moved = (before - after).abs().amax(dim=-1)[0]
    assert (moved[:4] == 0).all()
    assert (moved[4:7] > 0).all()


def test_places_are_counted_anew_in_each_document():
    tokens = torch.tensor(
        [[2, 10, 11, 3, 12, 13, 14, 3, 15, 3], [2, 10, 11, 12, 13, 3, 15, 3, 0, 0]]
    )
    counted = packed.own_places(tokens, 3)
    assert counted[0].tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 1, 2]
    assert counted[1].tolist()[:8] == [0, 1, 2, 3, 4, 5, 1, 2]
