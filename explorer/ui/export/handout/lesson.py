"""What a step of a lesson asks, on a web page: guess and look, try with hints, or have it shown.

Answers are checked by a script of the page's own, with which nothing is sent anywhere. Without it
everything is there too: what is guessed about, hints and answers are folded until they are opened.
"""

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from explorer.lectures.lessons.ask import (
    AskKind,
    LessonAsk,
    kept_answer,
    told_answer,
    unit_said,
    within_quotes,
)
from explorer.lectures.playing import PlayedAsk
from explorer.text import _
from explorer.ui.export.handout.content import Section

STYLE = """
.ask { border-left: .25rem solid; padding-left: .75rem; margin: 1.5rem 0 .5rem; }
.ask .question { font-weight: 600; }
.ask label { display: block; margin: .25rem 0; }
.ask .typed { display: none; gap: .5rem; align-items: center; }
.runs .ask .typed { display: flex; }
.ask input[type=text] { font: inherit; width: 10rem; padding: .3rem; }
.ask button { font: inherit; padding: .3rem .9rem; }
.ask .told:empty { display: none; }
.ask .told.right { font-weight: 600; }
.step { border-top: 1px solid; margin-top: 2.5rem; padding-top: .5rem; font-weight: 600; }
.folded > summary { cursor: pointer; }
"""
JUDGE = r"""
function bare(word) {
  return word.trim().replace(/^(?:##|▁|Ġ| )+|<\/w>$/g, '')
    .replace(/^[ "'“”‘’]+|[ "'“”‘’]+$/g, '').toLowerCase();
}
function numberIn(text, units) {
  let bare = text;
  for (const unit of units) if (unit && bare.endsWith(unit)) bare = bare.slice(0, -unit.length);
  bare = bare.trim().replace(/−/g, '-')
    .replace(/[+-]?[1-9]\d{0,2}(?:[, \u00a0\u202f]\d{3})+(?!\d)/g,
             found => found.replace(/[^\d+-]/g, ''));
  const isOne = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$/.test(bare);
  const number = Number(bare.replace(',', '.'));
  return isOne && Number.isFinite(number) ? number : null;
}
function judged(ask, text) {
  const given = text.trim();
  if (!given) return {problem: ask.kind === 'choice' ? 'unchosen' : 'empty'};
  if (ask.kind === 'choice')
    return {said: ask.choices[Number(given)], right: ask.live.includes(given)};
  if (ask.kind === 'word')
    return {said: given, right: ask.live.map(bare).includes(bare(given))};
  const number = numberIn(given, ask.units);
  if (number === null) return {problem: 'no_number', said: given};
  const right = Math.abs(number - Number(ask.live[0])) <= ask.within + 1e-9;
  return {said: `${number} ${ask.units[0]}`.trim(), right};
}
"""
"""What is right, as `typed_answer` and `is_right` have it."""
SCRIPT = (
    "'use strict';"
    + JUDGE
    + r"""
function sentence(text, given, answer) {
  return text.replace(/\{(given|answer|text)\}/g, (_, name) => name === 'answer' ? answer : given);
}
function told(ask, words, found) {
  if (found.problem) return sentence(words[found.problem], found.said || '', '');
  if (!ask.first && !found.right) return sentence(words.wrong, found.said, '');
  let how = 'right';
  if (ask.first) how = found.said === ask.answer ? 'guessed' : 'guess';
  return `${sentence(words[how], found.said, ask.answer)} ${ask.reveal}`.trim();
}
document.body.classList.add('runs');
for (const form of document.querySelectorAll('form.ask')) {
  const ask = JSON.parse(form.dataset.ask), words = JSON.parse(form.dataset.words);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const chosen = form.querySelector('input:checked'), typed = form.querySelector('[type=text]');
    const found = judged(ask, typed ? typed.value : chosen ? chosen.value : '');
    const line = form.querySelector('.told');
    line.textContent = told(ask, words, found);
    line.classList.toggle('right', found.right === true);
    const folded = document.getElementById(form.dataset.shows);
    if (ask.first && !found.problem && folded) folded.open = true;
  });
}
"""
)


def script_for(sections: Iterable[Section]) -> str:
    """What runs in a page of some scenes; "" where nothing is asked."""
    parts = (part for one in sections for part in one.parts)
    return SCRIPT if any(part.asked is not None for part in parts) else ""


def lesson_lines(asked: PlayedAsk, shown: Sequence[str], solved: str, name: str) -> Iterator[str]:
    """A step that asks: its sentences, its picture, and the question before or after them.

    Args:
        asked: What it asks, with what is right.
        shown: Its sentences and its picture, as HTML.
        solved: The picture of what was to be done; "" for none.
        name: Of the step on the page.
    """
    ask = asked.step.ask
    assert ask is not None
    if ask.first:
        yield _form(ask, asked, f"{name}-shown")
        yield from _hints(ask)
        yield _folded(_("Show it"), [*shown, _paragraph(_right(ask, asked))], f"{name}-shown")
        return
    yield from shown
    yield _form(ask, asked, f"{name}-answer")
    yield from _hints(ask)
    yield _folded(_("Show the answer"), [solved, _paragraph(_right(ask, asked))], f"{name}-answer")


def _form(ask: LessonAsk, asked: PlayedAsk, shows: str) -> str:
    """The question, and where it is answered; what is to be done is done in the program alone."""
    words = ask.said()
    question = f"<p class='question'>{html.escape(words.question)}</p>"
    if ask.kind is AskKind.DO or asked.live is None:
        how = _("This is done in the program, which says when it is done.")
        told = html.escape(how if ask.kind is AskKind.DO else "")
        return f"<div class='ask'>{question}<p class='small'>{told}</p></div>"
    button = html.escape(_("Guess") if ask.first else _("Check"))
    send = f"<button type='submit'>{button}</button>"
    if ask.kind is AskKind.CHOICE:
        rows = "".join(
            f"<label><input type='radio' name='given' value='{number}'> {html.escape(one)}</label>"
            for number, one in enumerate(words.choices)
        )
        field = f"{rows}<div class='typed'>{send}</div>"
    else:
        spoken = html.escape(words.question, quote=True)
        field = (
            f"<div class='typed'><input type='text' autocomplete='off' aria-label='{spoken}'>"
            f"<span>{html.escape(unit_said(ask))}</span>{send}</div>"
        )
    held = f"data-ask='{_data(_held(ask, asked))}' data-words='{_data(_words(ask))}'"
    return (
        f"<form class='ask' data-shows='{shows}' {held}>{question}{field}"
        "<p class='told' role='status'></p></form>"
    )


def _held(ask: LessonAsk, asked: PlayedAsk) -> Mapping[str, object]:
    """What the script checks an answer by."""
    live = asked.live
    lives = live if isinstance(live, list) else [live]
    answer, reveal = told_answer(ask, live), _reveal(ask, asked)
    is_choice = ask.kind is AskKind.CHOICE
    return {
        "kind": ask.kind.value,
        "first": ask.first,
        "live": [kept_answer(ask, one) for one in lives],
        "within": ask.within,
        "units": list(dict.fromkeys((unit_said(ask), ask.unit, "%"))),
        "choices": [within_quotes(one) for one in ask.said().choices],
        "answer": within_quotes(answer) if is_choice else answer,
        "reveal": reveal,
    }


def _words(ask: LessonAsk) -> Mapping[str, str]:
    """What the script says, in the language of the page."""
    is_choice = ask.kind is AskKind.CHOICE
    guess = (
        _("You guessed “{given}”. The page says: “{answer}”.")
        if is_choice
        else _("You guessed {given}. It is {answer}.")
    )
    return {
        "unchosen": _("Choose one of the answers first."),
        "empty": _("Write your answer first."),
        "no_number": _("“{text}” is no number: write one as 12 or 0.5."),
        "wrong": " ".join((_("“{given}” is not it."), _("Try again, or take a hint."))),
        "right": _("Right: {answer}."),
        "guessed": _("You guessed it: {answer}."),
        "guess": guess,
    }


def _right(ask: LessonAsk, asked: PlayedAsk) -> str:
    """What is right, and what is said with it."""
    answer = "" if asked.live is None else told_answer(ask, asked.live)
    said = ""
    if answer and ask.kind is AskKind.CHOICE:
        said = _("The answer is “{answer}”.", answer=within_quotes(answer))
    elif answer:
        said = _("It is {answer}.", answer=answer)
    return f"{said} {_reveal(ask, asked)}".strip()


def _reveal(ask: LessonAsk, asked: PlayedAsk) -> str:
    answer = "" if asked.live is None else told_answer(ask, asked.live)
    reveal = ask.said().reveal
    return reveal.replace("{answer}", answer) if answer or "{answer}" not in reveal else ""


def _hints(ask: LessonAsk) -> Iterator[str]:
    hints = ask.said().hints
    for number, hint in enumerate(hints, 1):
        which = _("Hint {next} of {count}", next=number, count=len(hints))
        yield _folded(_("Hint") if len(hints) == 1 else which, [_paragraph(hint)])


def _folded(summary: str, inside: Iterable[str], name: str = "") -> str:
    named = f" id='{name}'" if name else ""
    said = html.escape(summary)
    return f"<details class='folded'{named}><summary>{said}</summary>{''.join(inside)}</details>"


def _paragraph(words: str) -> str:
    return f"<p>{html.escape(words)}</p>" if words else ""


def _data(held: Mapping[str, object]) -> str:
    return html.escape(json.dumps(held, ensure_ascii=False), quote=True)
