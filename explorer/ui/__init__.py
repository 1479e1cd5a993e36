"""The window: PySide6 lives here and nowhere else."""

from explorer.ui.binding_faults import keep_singletons_alive

keep_singletons_alive()
