"""Lessons: the tour, self-checks, the glossary."""
