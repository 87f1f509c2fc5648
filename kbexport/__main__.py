"""`python -m kbexport`."""

from kbexport.cli import main

main()
