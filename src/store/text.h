/* Which texts the journal accepts. */
#ifndef GPULAB_STORE_TEXT_H
#define GPULAB_STORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 character at the beginning of the text, 1 to 4; 0 where there is none: the end, a stray byte,
 * an overlong form, a surrogate, above U+10FFFF, cut off. NUL counts as none. */
size_t utf8_char(const char *text, size_t len);
bool utf8_valid(const char *text, size_t len);

/* A flat JSON object: names of printable ASCII without " and \, numbers. White space is as in JSON. */
bool counters_valid(const char *text, size_t len);

#endif
