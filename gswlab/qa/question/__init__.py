"""Questions: what is asked for, about whom, when, where and in which order."""
