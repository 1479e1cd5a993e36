"""The program frozen by PyInstaller into a folder that needs no Python."""
