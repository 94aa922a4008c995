/* Kernel names: as a person writes them and as they are linked. */
#ifndef GPULAB_COMPILE_NAMES_H
#define GPULAB_COMPILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/compile.h"

/* "_ZN3foo4copyEPf" -> "foo::copy", "_Z4tileILi33EEvPf" -> "tile", "plain" -> "plain"; unnamed namespaces vanish,
 * template arguments and parameters too. NULL: no name this understands. The caller frees. */
char *name_plain(const char *linked);
bool name_is_template_instance(const char *linked);

/* Is it the linked name of that instance of a template, "mask<float>" or "lab::table<4, true>"? Namespaces may be left
 * out. */
bool name_is_instance(const char *linked, const char *name);

/* The linked names of all kernels (.entry) in PTX. */
size_t names_entries(Arena *arena, const char *ptx, char ***out);

/* "tile< 33 >" and "tile<33>" are the same name. */
bool names_equal(const char *a, const char *b);

/* The candidate closest to a name a person mistyped, template arguments apart; NULL where none is close. */
const char *names_closest(const char *name, const char *const *candidates, size_t n);

#endif
