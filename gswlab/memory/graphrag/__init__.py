"""GraphRAG: communities of a merged graph, their reports, local and global search."""
