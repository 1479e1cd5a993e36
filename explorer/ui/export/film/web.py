"""A film as one page of HTML that plays by itself, offline, and by keyboard."""

import html
from collections.abc import Callable, Sequence

from explorer.export_choices import PictureChoice
from explorer.text import _
from explorer.ui.export.devices import figure_image, figure_svg, png_bytes
from explorer.ui.export.film.strip import words_of_step
from explorer.ui.export.html_page import picture, png_picture, whole_page
from explorer.ui.export.paper import PaperPicture

LARGEST = 24_000_000
"""Bytes of all frames as SVG; larger ones are PNG."""
SCRIPT = """
"use strict";
const frames = [...document.querySelectorAll("#film figure")];
const slider = document.querySelector("#step"), play = document.querySelector("#play");
const pace = Number(document.querySelector("#film").dataset.pace);
const words = play.dataset;
let timer = 0;
function show(place) {
  const now = Math.min(Math.max(place, 0), frames.length - 1);
  frames.forEach((one, number) => { one.hidden = number !== now; });
  slider.value = now;
  slider.setAttribute("aria-valuetext", frames[now].dataset.step);
}
function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = words.play;
}
function start() {
  if (Number(slider.value) === frames.length - 1) { show(0); }
  play.textContent = words.stop;
  timer = setInterval(() => {
    const next = Number(slider.value) + 1;
    if (next < frames.length) { show(next); } else { stop(); }
  }, pace);
}
play.addEventListener("click", () => { if (timer) { stop(); } else { start(); } });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) { return; }
  const place = Number(slider.value);
  const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: frames.length - 1 };
  if (event.key in to) {
    stop();
    show(to[event.key]);
    event.preventDefault();
  } else if (event.key === " " && event.target !== play) {
    play.click();
    event.preventDefault();
  }
});
show(0);
"""
STYLE = """
#film figure { margin: 1rem 0 0; }
#film img { width: 100%; }
#controls { display: flex; gap: .75rem; align-items: center; position: sticky; top: 0;
  padding: .5rem 0; background: inherit; }
body { max-width: 75rem; }
#step { flex: 1; }
#play { font: inherit; min-width: 6rem; padding: .25rem .75rem; }
"""


def page_bytes(
    pictures: Sequence[PaperPicture],
    steps: Sequence[int],
    choice: PictureChoice,
    seconds: float,
    written: Callable[[int], None],
) -> bytes:
    """The page as the bytes of a file.

    Args:
        pictures: Of one size.
        steps: Of the training, one each.
        choice: Whether letters are shapes, and how many dots an inch has where frames are PNG.
        seconds: That a frame is shown.
        written: Hears how many are written.
    """
    drawn: list[str] = []
    vectors = [
        figure_svg(one.figure, one.told, one.millimetres, outlines=choice.outlines)
        for one in pictures
    ]
    is_large = sum(map(len, vectors)) > LARGEST
    for number, (one, svg) in enumerate(zip(pictures, vectors, strict=True)):
        if is_large:
            png = png_bytes(figure_image(one.figure, choice.dpi, one.millimetres), one.told)
            inside = png_picture(png, one.words)
        else:
            inside = picture(svg, one.words)
        said = html.escape(words_of_step(steps[number], steps[-1]))
        hidden = " hidden" if number else ""
        drawn.append(f"<figure data-step='{said}'{hidden}>{inside}</figure>")
        written(number + 1)
    return whole_page(
        pictures[-1].title,
        [
            _controls(len(pictures)),
            _film(drawn, seconds),
            _below("" if choice.caption else pictures[-1].caption),
        ],
        "dark" if choice.dark else "light",
        script=SCRIPT,
        style=STYLE,
    )


def _controls(count: int) -> str:
    play, stop, step = (html.escape(one) for one in (_("Play"), _("Stop"), _("Step of training")))
    return (
        f"<div id='controls'><button id='play' data-play='{play}' data-stop='{stop}'>"
        f"{play}</button>"
        f"<input id='step' type='range' min='0' max='{count - 1}' value='0' aria-label='{step}'>"
        "</div>"
    )


def _film(drawn: Sequence[str], seconds: float) -> str:
    return f"<div id='film' data-pace='{round(seconds * 1000)}'>{''.join(drawn)}</div>"


def _below(caption: str) -> str:
    """What the keys do, and how the answers came about where no frame says it."""
    keys = _("Space plays, Left and Right show the next frame, Home and End the first and last.")
    return "".join(f"<p class='small'>{html.escape(one)}</p>" for one in (keys, caption) if one)
