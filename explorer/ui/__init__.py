"""The window: PySide6 lives here and nowhere else."""
