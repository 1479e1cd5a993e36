"""What can be done with a checkpoint, as a menu."""

from functools import partial

from PySide6.QtWidgets import QApplication, QMenu, QWidget

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import _
from explorer.ui.library.actions import LibraryActions


def checkpoint_menu(
    checkpoint: Checkpoint, actions: LibraryActions, parent: QWidget, *, taught: bool
) -> QMenu:
    """Everything that can be done with a checkpoint now.

    Args:
        checkpoint: Any that is known.
        actions: What does it.
        parent: Where the menu is shown.
        taught: Its teacher is here, too.
    """
    from explorer.learning.plan.films import film_plan

    models = actions.models
    busy = bool(models.loading_of(checkpoint.id)) or (checkpoint.id in actions.downloads.transfers)
    menu = QMenu(parent)
    menu.setObjectName("library_menu")
    if checkpoint.source is Source.HUB:
        entry = menu.addAction(_("Download"), lambda: actions.download(checkpoint))
        entry.setEnabled(not busy and not checkpoint.problem)
        entry = menu.addAction(
            _("Download its tokenizer alone"), lambda: actions.download_tokenizer(checkpoint)
        )
        entry.setEnabled(not busy and checkpoint.lacks_tokenizer)
    else:
        for slot in ("A", "B"):
            entry = menu.addAction(
                _("Load as {slot}", slot=slot), partial(actions.load, checkpoint, slot)
            )
            held = slot in models.slots_of(checkpoint.id)
            entry.setEnabled(not busy and not held and not checkpoint.problem)
        if checkpoint.partner:
            entry = menu.addAction(_("Load the pair"), partial(actions.load_pair, checkpoint))
            entry.setEnabled(not busy and not checkpoint.problem)
        if taught:
            compare = partial(actions.load_with_teacher, checkpoint)
            entry = menu.addAction(_("Compare with its teacher"), compare)
            entry.setEnabled(not busy and not checkpoint.problem)
    if busy:
        menu.addAction(_("Cancel"), lambda: actions.cancel(checkpoint))
    if models.slots_of(checkpoint.id):
        menu.addAction(_("Unload"), lambda: actions.unload(checkpoint))
    menu.addSeparator()
    if checkpoint.source in {Source.HUB, Source.CACHE}:
        name, _at, revision = checkpoint.id.partition("@")
        menu.addAction(
            _("Other revisions…"), lambda: actions.revisions_wanted.emit(name, revision, "")
        )
    entry = menu.addAction(
        _("Show its architecture"), lambda: actions.architecture_wanted.emit(checkpoint.id)
    )
    entry.setEnabled(bool(checkpoint.family and checkpoint.architecture))
    if film_plan(checkpoint.id, checkpoint.folder) is not None:
        menu.addAction(
            _("Make the film of this model"), lambda: actions.film_wanted.emit(checkpoint.id)
        )
    if checkpoint.folder:
        menu.addAction(_("Show in file manager"), lambda: actions.show_folder(checkpoint))
    menu.addAction(_("Copy id"), lambda: QApplication.clipboard().setText(checkpoint.id))
    if checkpoint.source in {Source.FOLDER, Source.CONFIG} and checkpoint.folder:
        entry = menu.addAction(_("Remove from list"), lambda: actions.remove(checkpoint))
        entry.setEnabled(not busy)
    return menu
