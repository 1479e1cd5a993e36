"""Whole vocabularies: pieces as a person reads them, which are near, what two have in common."""
