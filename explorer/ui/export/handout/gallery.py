"""Every page with an answer to show: of the lecture where it asks that, else of a sample."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import ExplorerError, Topic
from explorer.lectures import LESSONS, Step
from explorer.lectures.playing import ScenePlayer
from explorer.paths import own_resources
from explorer.program import Program
from explorer.samples.sample_files import Sample
from explorer.samples.samples import samples
from explorer.shown_models import models_for
from explorer.text import _, said
from explorer.ui.export.alone import details_wanted
from explorer.ui.export.handout.making import MadeHandout, Tell, play, title_of
from explorer.ui.export.handout.site import GalleryEntry, Site
from explorer.ui.views import Listed, listed


def make_site(program: Program, folder: Path, named: str, title: str, tell: Tell) -> MadeHandout:
    """Play a lecture, ask every page, and write both as a site.

    Args:
        program: Where everything is.
        folder: Where the site is written.
        named: A folder, a zip file or a scene's file; "" for the bundled lecture, with the lessons.
        title: What stands above it; "" for the lecture's own.
        tell: Hears how far it is.

    Raises:
        UserMistake: The lecture can't be read.
        MachineFault: A file can't be written.
    """
    # A place that can't be written to is told before the answers take their time.
    folder.mkdir(parents=True, exist_ok=True)
    done = play(program, named, tell)
    known = {one.run.operation: one for one in reversed(list(done.answers))}
    pages = [one for one in listed() if one.heading != Topic.LEARNING]
    player = ScenePlayer(program, wants=details_wanted)
    library = program.catalogue(program.plugin_host()).list()
    gallery, left_out = [], []
    for number, page in enumerate(pages):
        tell(_(page.of.title), number, len(pages))
        try:
            answered = known.get(page.of.name) or player.ask(_step(library, page))
        except ExplorerError as error:
            left_out.append(f"{_(page.of.title)}: {said(error.problem)}")
            continue
        gallery.append(GalleryEntry(page, answered))

    taught = None if named else play(program, LESSONS, tell)
    site = Site(lambda: title or title_of(done, named), done, gallery, taught)
    written = site.write(
        folder, own_resources() / "locale", lambda words: tell(words, len(pages), len(pages))
    )
    played = [one for one in (done, taught) if one is not None]
    failed = tuple(name for one in played for name in one.failed)
    texts = tuple(text for one in played for text in one.texts)
    return MadeHandout(len(done.scenes), failed, texts, tuple(left_out), written)


def _step(library: Sequence[Checkpoint], page: Listed) -> Step:
    """What shows a page: its own sample, else the first that has all it needs."""
    sample = next(_usable(page), samples()[0])
    return Step(
        page.of.name,
        models_for(page.of.name, library, sample.model),
        sample.text,
        sample.masked,
        sample.pair,
        sample.pair_masked,
        options=dict(sample.options),
    )


def _usable(page: Listed) -> Iterator[Sample]:
    own: Sequence[Sample] = [one for one in samples() if one.view == page.of.name]
    yield from own
    for one in samples():
        if not one.view and not page.of.hint(one.whole()):
            yield one
