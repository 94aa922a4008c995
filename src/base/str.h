/* A string under construction. text is always terminated and never NULL after the first append; start from {0}. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

typedef struct {
	char *text;
	size_t len, cap;
} Str;

void str_add(Str *s, const char *text);
void str_addn(Str *s, const char *text, size_t len);
void str_addf(Str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_reserve(Str *s, size_t more); /* so many bytes can be written at text + len, and a terminator */
void str_clear(Str *s);                /* keeps the memory */
void str_cut(Str *s, size_t len);      /* to at most this length */
void str_free(Str *s);
#define AUTO_STR __attribute__((cleanup(str_free))) /* before a local Str: freed where its block ends */
char *str_take(Str *s);                             /* the caller owns the text; s starts again */
char *str_take_in(Arena *arena, Str *s);

/* Writes a temporary file and renames it: a reader sees the old or the new contents, never half. */
bool file_write(const char *path, const void *data, size_t len, Err *err);

/* Makes the folders before the path's last slash that are not there yet. */
bool folders_make(const char *path, unsigned mode, Err *err);

/* The path without links and dots; NULL: there is nothing by that name. */
char *path_real(Arena *arena, const char *path);
char *path_folder(Arena *arena, const char *path); /* what is before its last slash; "" */

bool text_starts(const char *text, const char *prefix);
bool text_ends(const char *text, const char *suffix);
bool text_has_word(const char *words, const char *word, size_t len); /* of words with blanks between them */

/* Part of a text, which outlives it. */
typedef struct {
	const char *at;
	size_t len;
} Word;

bool word_is(Word word, const char *text);
bool words_same(Word a, Word b);
