"""The session log: every question asked, found, brought back and compared."""
