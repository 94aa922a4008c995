/* Linked names of CUDA C++, which the Itanium C++ ABI mangles: what a function or variable is called in the source, the
 * arguments of its template, and its parameters. PTX itself knows widths only: neither signs, nor a pointer from a
 * 64-bit integer.
 *
 *     _Z4tileILi33EEvPfPKfi      tile, an instance with the argument 33, of float*, float*, int
 *     _ZN3lab5tableE             lab::table
 *     _ZZ4tilePfE5cache_0        cache, a variable in a function
 *
 * Nothing is built up from a name but a few words of it: printed in full, a name of 250 characters may have half a
 * gigabyte, and names come from files of others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "base/values/elem.h"

typedef enum {
	PARAM_UNKNOWN, /* a structure, a template's own parameter, anything not understood */
	PARAM_BOOL,
	PARAM_SCALAR, /* elem */
	PARAM_POINTER /* to elem if typed, else to something not understood (or void) */
} ParamKind;

typedef struct {
	ParamKind kind;
	bool typed;
	ElemType elem;
	unsigned stars;   /* PARAM_POINTER: 2 of float**, which is not typed */
	bool of_elem;     /* whose last one is to elem */
	const char *name; /* of a class, or of what a pointer points to: part of the linked name; NULL: none */
	size_t name_len;
} ParamType;

/* The parameters of a function; 0 where the name is not mangled, not understood in full, or has more than `most`. */
size_t mangled_parameters(const char *linked, ParamType *out, size_t most);

/* "int", "float*", "View"; "" if unknown. */
void param_name(const ParamType *type, char *out, size_t size);

/* "lab::tile"; unnamed namespaces vanish, template arguments and parameters too. The name itself if it is not mangled;
 * NULL: not understood, or of something in a function. The caller frees. */
char *mangled_plain(const char *linked);

/* With the arguments of its template, "tile<33>"; the name itself if nothing of it is understood. The caller frees. */
char *mangled_written(const char *linked);

/* The plain name for a text; the linked name if it is not understood. */
void mangled_function(const char *linked, char *out, size_t size);

/* The variable's name without namespaces, "cache"; the linked one if that is not understood. */
void mangled_variable(const char *linked, char *out, size_t size);

bool mangled_is_instance(const char *linked); /* of a template */

/* Is it the instance of a template that is written like this, "mask<float>" or "lab::table<4, true>"? Namespaces may be
 * left out. */
bool mangled_is_named(const char *linked, const char *name);

/* Appends the arguments of its template, "33" and "unsigned", each with a NUL behind it, as far as they are understood.
 * Returns how many. */
size_t mangled_arguments(const char *linked, Str *out);
