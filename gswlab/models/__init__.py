"""Models behind one door: any OpenAI-compatible endpoint, a cassette, a ledger."""
