"""A tour: the real window with the real engine, driven as a person would, and photographed."""

from explorer.tour.guide import run

__all__ = ["run"]
