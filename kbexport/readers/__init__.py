"""Sources in, posts out. One module is one format; see CONTRIBUTING.md for how to add one."""
