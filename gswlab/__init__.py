"""gswlab: a research workbench for the memory of language models."""
