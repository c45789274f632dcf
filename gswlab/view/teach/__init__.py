"""For a class: self-checks, the words of the workbench, the tour as one page."""
