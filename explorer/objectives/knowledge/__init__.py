"""Objectives that are about facts of a knowledge graph and about entities in a text."""
