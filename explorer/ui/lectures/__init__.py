"""Lectures in the window: the panel of scenes, presenting them, and saving one's own."""
