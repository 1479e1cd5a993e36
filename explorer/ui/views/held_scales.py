"""Scales that are held while a series is moved through, so that two of its frames can be compared.

What has a range of its own, as a probability has, gets the whole of it; everything else reaches as
far as any frame that was seen. A page on the screen, its pictures and exported films hold theirs
here.
"""

from collections import Counter
from collections.abc import Sequence

from explorer.document import Document
from explorer.series.naming import series_named
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.shown import Origin


class HeldScales:
    """How far the axes, bars and colours of a page reach over all frames that were seen of it.

    A film that is exported takes the blocks of all its frames first, and fits each one's then:

        scales = HeldScales()
        for shown in frames:
            scales.take(page.alone(shown))
        pictures = [page.figure(replace(shown, held=scales.fit), ...) for shown in frames]
    """

    def __init__(self) -> None:
        self._of: object = None
        self._widest: list[Block] = []
        self._is_of_film = True

    def of_frame(self, of: object, blocks: list[Block]) -> list[Block]:
        """A frame's blocks on the scales of all that were seen, this one included.

        Args:
            of: As `film_of` says it; frames of another film begin anew, and None, as while an
                answer is half there, holds nothing.
            blocks: Of the frame.
        """
        self._is_of_film = of is not None
        if of is None or not blocks:
            return blocks
        if of != self._of:
            self._of, self._widest = of, []
        self.take(blocks)
        return self.fit(blocks)

    def take(self, blocks: Sequence[Block]) -> None:
        """Reach as far as the blocks of one more frame."""
        # Charts and matrices: a window that shows no series does without.
        from explorer.ui.views.one_scale import on_one_scale
        from explorer.ui.views.whole_shares import with_whole_shares

        widest = on_one_scale(with_whole_shares(blocks), self._widest)
        there, before = Counter(map(type, widest)), Counter[type]()
        for one in self._widest:
            before[type(one)] += 1
            if before[type(one)] > there[type(one)]:
                widest.append(one)
        self._widest = widest

    def fit(self, blocks: Sequence[Block]) -> list[Block]:
        """Blocks on the scales of all frames that were taken; what has them already stays."""
        from explorer.ui.views.one_scale import on_one_scale

        return on_one_scale(blocks, self._widest)

    @property
    def is_held(self) -> bool:
        """Whether there are scales to keep to."""
        return self._is_of_film and bool(self._widest)

    def as_now(self) -> "HeldScales":
        """The same for a picture, whatever is seen later.

        Not for what a page on the screen is made from: blocks know that, and each frame's would
        keep those of the one before.
        """
        same = HeldScales()
        same._of, same._widest = self._of, self._widest
        return same


def film_of(origin: Origin, asked: Document | None, now: Document) -> object:
    """What the answers of all frames of a series have in common; None where none is asked.

    Args:
        origin: How the answer came about.
        asked: The document that asked.
        now: That of now, by which the answer is looked at.
    """
    series = {role: series_named(stamp.id) for role, stamp in origin.models.items()}
    if not any(series.values()):
        return None
    models = {role: series[role] or stamp.fingerprint for role, stamp in origin.models.items()}
    return asked, now, tuple(sorted(models.items()))
