"""Books like EpBench's, of any size, with their questions and gold: all made here."""
