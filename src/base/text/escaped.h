/* Paths as NVIDIA's compilers write them between quotes: letters beyond ASCII are escapes. In Lua:
 * lua/gpulab/base/files.lua. */
#pragma once

#include "base/str.h"

/* Appends the path whose text begins behind a quote, up to the next quote or the end of the line. \", \\, \t, and \305
 * become bytes. Other escapes stay as they are written, those of control characters too: a path is printed on one
 * line. */
void str_add_unescaped(Str *s, const char *text);
