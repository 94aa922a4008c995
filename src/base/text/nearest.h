/* "Did you mean": the word the user probably meant. */
#pragma once

/* The first of the nearest among names (NULL-terminated), or NULL where none is near: one edit away for words of
 * two to four letters, two for longer ones, none for shorter. An edit inserts, deletes, or replaces a letter or
 * swaps two adjacent ones; case does not matter. */
const char *nearest(const char *typed, const char *const *names);

int text_distance(const char *a, const char *b); /* such edits; words longer than 31 letters are not near */
