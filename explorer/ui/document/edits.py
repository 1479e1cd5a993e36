"""The edits a user makes, each a step with a name the Edit menu can say."""

from dataclasses import replace

from explorer.document import Document, Mask, Mention
from explorer.samples.sample_files import Sample
from explorer.text import _
from explorer.ui.document import gestures
from explorer.ui.document.gestures import quoted
from explorer.ui.document.mentions import put_entities, take_entity
from explorer.ui.document.second_page import PageState


class Edits:
    """Changes a document's state; every method is one step, or none where nothing changes.

    Places are of the document that the user saw, where one is given, and of that of now if not.
    """

    def __init__(self, state: PageState) -> None:
        self.state = state

    @property
    def document(self) -> Document:
        """What is edited."""
        return self.state.document

    def type_text(self, text: str, part: int) -> None:
        """Take over what stands in a text editor; quick changes become one step."""
        document = self.document.with_text(text, part)
        self.state.edit(_("typing"), document, merge=True)

    def toggle_mask(self, start: int, end: int, part: int, seen: Document | None = None) -> None:
        """Mask a range, or unmask it where any of it is masked."""
        self.state.apply(gestures.toggle_mask(seen or self.document, Mask(start, end, part)))

    def take_back_mask(self, start: int, end: int, part: int, seen: Document | None = None) -> None:
        """Take back that a range was just masked or unmasked: the history forgets it."""
        self.state.take_back(gestures.toggle_mask(seen or self.document, Mask(start, end, part)))

    def toggle_token(self, token: Mask, seen: Document | None = None) -> None:
        """Mask one of several tokens over the same characters, or unmask it."""
        self.state.apply(gestures.toggle_mask(seen or self.document, token))

    def take_back_token(self, token: Mask, seen: Document | None = None) -> None:
        """Take back that such a token was just masked or unmasked."""
        self.state.take_back(gestures.toggle_mask(seen or self.document, token))

    def mask(self, start: int, end: int, part: int, seen: Document | None = None) -> None:
        """Mask a range as one."""
        self.state.apply(gestures.mask(seen or self.document, Mask(start, end, part)))

    def put_entity(self, mention: Mention, seen: Document | None = None) -> None:
        """Say which entity some words name; an empty one takes theirs away."""
        against = seen or self.document
        self.state.apply(
            put_entities(against, [mention]) if mention.entity else take_entity(against, mention)
        )

    def clear_masks(self) -> None:
        """Take every mask away, those that were typed excepted."""
        self.state.edit(_("clear masks"), self.document.without_masks())

    def put_words(
        self, start: int, end: int, words: str, part: int, seen: Document | None = None
    ) -> None:
        """Put words in the place of a range."""
        self.state.apply(gestures.put_words(seen or self.document, (Mask(start, end, part), words)))

    def set_option(self, field: str, value: object, merge: bool = False) -> None:
        """Change one of the document's options, as a view's tools do.

        Args:
            field: A field of Document, or an option's key ("joint_decoding.method").
            value: The new one.
            merge: It is one of many quick changes, as of a slider that moves.
        """
        if "." in field:
            name = field.partition(".")[2].replace("_", " ")
            self.state.edit(
                _("change {name}", name=name), self.document.with_option(field, value), merge
            )
            return
        changed = replace(self.document, **{field: value})  # type: ignore[arg-type]
        name = (
            _("show {count} predictions", count=value)
            if field == "top_k"
            else _("change {field}", field=field)
        )
        self.state.edit(name, changed)

    def set_pair(self, wanted: bool) -> None:
        """Add an empty second text, or take the second text away."""
        if wanted:
            self.state.edit(
                _("add a second text"), self.document.with_pair(self.document.pair or "")
            )
        else:
            self.state.edit(_("remove the second text"), self.document.with_pair(None))

    def swap_texts(self) -> None:
        """Let the second text stand first."""
        self.state.apply(gestures.swap_texts(self.document))

    def put_second(self, text: str, name: str) -> None:
        """Put another second text in the place of the one there is, whose masks go."""
        self.state.edit(name, self.document.with_pair(None).with_pair(text))

    def with_sample(self, sample: Sample) -> Document:
        """The document with a sample sentence; the number of predictions stays."""
        document = replace(
            sample.document(), top_k=self.document.top_k, options=self.document.options
        )
        for key, value in sample.options:
            document = document.with_option(key, value)
        return document

    def take_sample(self, sample: Sample) -> None:
        """Go to a sample sentence."""
        name = _("sample {title}", title=quoted(sample.title))
        self.state.edit(name, self.with_sample(sample))

    def take_text(self, text: str, name: str) -> None:
        """Go to the text of a file."""
        text = "\n".join(text.splitlines()).strip()
        document = replace(self.document, text=text, pair=None, masks=(), entities=())
        self.state.edit(_("open {name}", name=quoted(name)), document)
