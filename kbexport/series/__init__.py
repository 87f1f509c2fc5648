"""Which posts belong together, in which order, what is missing, and why."""
