/* Kernel names as a person writes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* "tile< 33 >" and "tile<33>" are the same name. */
bool names_equal(const char *a, const char *b);

/* The candidate closest to a name a person mistyped, template arguments apart; NULL where none is close. */
const char *names_closest(const char *name, const char *const *candidates, size_t n);
