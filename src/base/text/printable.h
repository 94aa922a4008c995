/* Text from outside as text: what a terminal would obey is shown instead. In Lua: lua/gpulab/base/text.lua. */
#ifndef GPULAB_BASE_PRINTABLE_H
#define GPULAB_BASE_PRINTABLE_H

#include "base/str.h"

/* Appends the text; control characters other than \n and \t, those of Unicode (C1, directions of writing, line
 * separators) and bytes that are no UTF-8 become \x1B and \u{9B}. */
void str_add_printable(Str *s, const char *text, size_t len);

#endif
