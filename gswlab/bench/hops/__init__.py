"""Multi-hop questions over paragraphs: layouts, worlds, measures and their runner."""
