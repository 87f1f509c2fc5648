"""What the readers of 51CTO listings share: the grammar of extracted text, and its words."""
