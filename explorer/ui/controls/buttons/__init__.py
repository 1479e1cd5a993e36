"""Buttons: with menus, with folds, side by side, shortened where there is little room."""
