"""MemGPT: a virtual context for a language model (arXiv 2310.08560), to be watched."""
