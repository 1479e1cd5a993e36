"""What each objective for pairs teaches: the file of runs, and the page that shows it."""

import argparse
import dataclasses
import datetime as dt
import json
import statistics

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.pretraining.pair_objectives.__main__ import COMMAND, settings
from explorer.pretraining.pair_objectives.ways import DOCUMENTS, STEPS
from explorer.published.pair_objectives import (
    AT_CHANCE,
    FORMATS,
    LEARNED_BESIDE,
    NEXT,
    NONE,
    OBJECTIVES,
    ORDER,
    OWN_TASK,
    SEGMENTS,
    TASKS,
    at,
    compared,
    fitted,
    printed,
    shipped_in,
)
from explorer.published.what_pairs_teach import (
    FORMAT_NAMES,
    NAMES,
    format_look_at,
    harder,
    look_at,
)
from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.plugins.test_classifiers import made
from tests.ui.pages import kind_of, words_on

TEXT, PAIR = "The cook washed the carrots.", "The chef boiled the carrots."


@pytest.fixture
def page(shown):
    view = shown(kind_of("sentence_pair"))
    request = SentencePairRequest(TEXT, PAIR)
    asked = tiny.ask(miniature("bert-miniature"), request, Context())
    view.show_result(asked, Document(TEXT, PAIR))
    return view


def rows(page, kind):
    """Values of the cells of a table's rows, by what each is about."""
    name = f"sentence_pair.{kind}"
    spots = [one for one in page.page.page.spots if isinstance(one.key, tuple)]
    return {one.key[1]: [c.value for c in one.cells] for one in spots if one.key[0] == name}


def kept():
    return json.loads(shipped_in().read_text("utf-8"))


def in_words(values):
    return f"{100 * statistics.fmean(values):.1f} ± {100 * statistics.stdev(values):.1f} %"


def test_the_file_is_what_the_command_writes():
    page = kept()
    options = argparse.Namespace(steps=STEPS, documents=DOCUMENTS, tested=page["tested"])
    assert {name: page[name] for name in settings(options)} == settings(options)
    assert page["command"] == COMMAND
    runs = page["runs"]
    known = [(run["objective"], run["format"], run["seed"]) for run in runs]
    assert len(set(known)) == len(known)
    for run in runs:
        assert dt.date.fromisoformat(run["date"])
        assert run["loss"] > page["bounds"]["floor"]


def test_each_objective_has_five_seeds_and_each_format_two():
    for objective in OBJECTIVES:
        assert [run.seed for run in compared().of(objective)] == [0, 1, 2, 3, 4]
    assert all(len(compared().in_format(form)) >= 2 for form in FORMATS)


def test_next_sentences_are_learned_from_every_seed_and_teach_the_head_no_order():
    found = compared()
    assert min(at(found.of(NEXT), NEXT).values) > OWN_TASK
    assert 0.45 < at(found.of(NEXT), ORDER).mean < AT_CHANCE
    assert not any(run.head for run in found.of(NONE)), "a head that was never trained is not asked"
    assert found.knowing[ORDER] == 1.0
    assert found.knowing[NEXT] > 0.98


def test_order_is_learned_or_the_page_says_from_how_many_seeds_it_was_not(page):
    found = compared()
    learned, runs = found.learned(ORDER), found.of(ORDER)
    assert at(learned, ORDER).mean > OWN_TASK
    assert fitted(learned, NEXT).mean > LEARNED_BESIDE
    said = words_on(page)
    assert ("Order is the harder task" in said) == (learned != runs)
    if learned != runs:
        assert f"and {len(learned)} of {len(runs)} learned order" in said
        told = rows(page, "HeadRow")
        assert f"{len(learned)} seeds that learned order" in told


def with_heads(*heads):
    """The runs of pairs, a seed for each of these accuracies by objective and task."""
    one = {objective: compared().of(objective)[0] for objective in OBJECTIVES}
    runs = [
        dataclasses.replace(
            one[objective],
            seed=seed,
            head={task: values.get((objective, task), 0.5) for task in TASKS},
        )
        for seed, values in enumerate(heads)
        for objective in OBJECTIVES
    ]
    return dataclasses.replace(compared(), runs=runs)


def test_the_sentence_follows_the_numbers():
    heads = {
        (NEXT, NEXT): 0.95, (NEXT, ORDER): 0.51, (ORDER, NEXT): 0.78, (ORDER, ORDER): 0.91,
    }  # fmt: skip
    as_printed = look_at(with_heads(heads))
    assert "teach a head nothing of order" in as_printed
    assert "Order teaches something of next sentences" in as_printed
    assert all(share in as_printed for share in ("95 %", "51 %", "78 %", "91 %"))
    said = look_at(with_heads({**heads, (ORDER, NEXT): 0.6}))
    assert "teach a head nothing of order" in said
    assert "comes out weaker" in said
    assert "in 60 %, not in 79 %" in said
    for changed in ({(NEXT, ORDER): 0.7}, {(NEXT, NEXT): 0.8}, {(ORDER, ORDER): 0.8}):
        said = look_at(with_heads({**heads, **changed}))
        assert "does not come out here" in said
        assert f"{100 * next(iter(changed.values())):.0f} %" in said


def test_seeds_that_did_not_learn_order_are_counted_and_kept_apart():
    learned = {
        (NEXT, NEXT): 0.95, (NEXT, ORDER): 0.51, (ORDER, NEXT): 0.62, (ORDER, ORDER): 0.91,
    }  # fmt: skip
    guesses = {**learned, (ORDER, NEXT): 0.5, (ORDER, ORDER): 0.5}
    found = with_heads(learned, guesses, learned)
    assert "every model learned next sentences, and 2 of 3 learned order" in harder(found)
    assert "91 %" in look_at(found)
    assert "in 62 %" in look_at(found)
    assert harder(with_heads(learned, learned)) == ""


def test_formats_that_seeds_do_not_tell_apart_are_not_ranked():
    losses = {SEGMENTS: (2.0, 2.1), "sentence-pair": (1.4, 1.5), "full-sentences": (3.3, 3.4)}

    def with_losses(losses):
        runs = [
            dataclasses.replace(compared().in_format(form)[0], seed=seed, loss=loss)
            for form, both in losses.items()
            for seed, loss in enumerate(both)
        ]
        return format_look_at(dataclasses.replace(compared(), runs=runs))

    near = with_losses({**losses, "doc-sentences": (1.45, 1.5)})
    assert "1.45 and 1.48 nats, which the seeds do not separate" in near
    apart = with_losses({**losses, "doc-sentences": (1.0, 1.1)})
    assert "lowest loss is that of “sentences of one document” with 1.05 nats" in apart
    assert "that of “full sentences” with 3.35" in apart


def test_the_page_shows_what_the_file_holds(page):
    runs = [run for run in kept()["runs"] if run["format"] == SEGMENTS]
    for reading in ("head", "classifier"):
        told = rows(page, "HeadRow" if reading == "head" else "ClassifierRow")
        for objective in OBJECTIVES:
            own = [run for run in runs if run["objective"] == objective]
            if (reading, objective) == ("head", NONE):
                cells = ["no head"] * len(TASKS)
            else:
                cells = [in_words([run[reading][task] for run in own]) for task in TASKS]
            assert told[NAMES[objective]][1:3] == cells
    told = rows(page, "FormatRow")
    for form in FORMATS:
        own = [run for run in kept()["runs"] if run["format"] == form]
        if form == SEGMENTS:
            own = [run for run in own if run["objective"] == NEXT]
        losses = [run["loss"] for run in own]
        loss = f"{statistics.fmean(losses):.2f} ± {statistics.stdev(losses):.2f}"
        assert told[FORMAT_NAMES[form]][1:3] == [
            loss,
            in_words([run["what_follows"] for run in own]),
        ]
    assert look_at(compared()) in words_on(page)
    assert format_look_at(compared()) in words_on(page)


def test_the_published_figures_stand_beside_with_their_sources(page):
    source, figures = printed()
    lan = {NONE: (54.9, 52.4, 53.3), NEXT: (54.5, 90.5, 52.0), ORDER: (54.0, 78.9, 86.5)}
    told = rows(page, "HeadRow")
    for objective, (masked, *tasks) in lan.items():
        assert told[NAMES[objective]][3:] == [f"{share} %" for share in tasks]
        assert f"{masked} %" in words_on(page)
    assert [round(100 * figures[one].average, 1) for one in OBJECTIVES] == [79.0, 79.2, 80.1]
    liu = [["84.0", "64.2"], ["82.9", "63.0"], ["84.7", "64.8"], ["84.7", "65.6"]]
    formats = rows(page, "FormatRow")
    assert [formats[FORMAT_NAMES[form]][3:] for form in FORMATS] == liu
    said = words_on(page)
    # What nobody has looked up yet is no source for whoever reads the page.
    assert source.endswith("(not checked)")
    assert "not checked" not in said
    assert "Published: Liu et al. 2019, table 2." in said


def test_all_runs_can_be_taken_along_as_a_table(page):
    (make,) = page.declared.other_tables.values()
    table = make(page.shown())
    assert len(table.rows) == len(kept()["runs"])
    for row, run in zip(table.rows, kept()["runs"], strict=True):
        told = dict(zip(table.columns, row, strict=True))
        assert (told["objective"], told["seed"]) == (run["objective"], run["seed"])
        assert told["masked_loss"] == run["loss"]
        assert told["head_sop"] == run["head"].get(ORDER)
        assert told["classifier_nsp"] == run["classifier"].get(NEXT)


def test_a_classifier_of_texts_is_not_compared(shown, tmp_path):
    view = shown(kind_of("sentence_pair"))
    request = SentencePairRequest(TEXT, PAIR)
    model = tiny.load(made(tmp_path / "toy", "Bert")[0])
    view.show_result(tiny.ask(model, request, Context()), Document(TEXT, PAIR))
    assert "What each objective teaches" not in words_on(view)
