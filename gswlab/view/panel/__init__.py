"""A run under your hands: a stepper, its buttons, and a page that talks back."""
