/* Text from outside as text: what a terminal would obey is shown instead, wherever the output goes: what is in a file
 * or a pipe now may be on a terminal later. In Lua: text.printable. */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* Appends the text; control characters other than \n and \t, those of Unicode (C1, directions of writing, line
 * separators) and bytes that are no UTF-8 become \x1B and \u{9B}. */
void str_add_printable(Str *s, const char *text, size_t len);
char *printable(const char *text); /* the same as a text that the caller frees */

/* The bytes of the UTF-8 character at the beginning of the text, 1 to 4, and its number; 0 where there is none: a stray
 * byte, an overlong form, a surrogate, above U+10FFFF, cut off. left >= 1 */
size_t utf8_decode(const char *text, size_t left, uint32_t *number);
