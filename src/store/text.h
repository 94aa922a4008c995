/* Which texts the journal accepts. */
#ifndef GPULAB_STORE_TEXT_H
#define GPULAB_STORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *text, size_t len); /* and without NUL */

/* A flat JSON object: names of printable ASCII without " and \, numbers. White space is as in JSON. */
bool counters_valid(const char *text, size_t len);

#endif
