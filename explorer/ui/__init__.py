"""The window: PySide6 lives here and nowhere else."""

from explorer.ui.binding_faults import keep_none_alive

keep_none_alive()
