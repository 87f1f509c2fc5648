"""Pure pieces of reading: encodings, numerals, counts, dates, addresses, clean lines."""
