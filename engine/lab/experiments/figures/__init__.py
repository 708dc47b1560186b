"""A module for each figure and table: the matches it needs, its numbers, words and drawing."""
