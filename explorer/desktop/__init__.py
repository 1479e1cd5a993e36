"""The program among a Linux desktop's: its entry, its icon, the kinds of files it opens."""
