"""What the readers of web pages share: selectors as data, metadata, and pages that are none."""
