/* What a kernel's parameters are in CUDA C++, read from its linked name (_Z4tileILi33EEvPfPKfi is tile<33>(float*,
 * const float*, int)). PTX itself knows widths only: neither signs, nor a pointer from a 64-bit integer. */
#ifndef GPULAB_BIND_SIGNATURE_H
#define GPULAB_BIND_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

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

/* Fills out[0 .. return value - 1]; 0 where the name is not mangled, not understood in full, or has more than
 * `most`. */
size_t signature_read(const char *linked, ParamType *out, size_t most);

/* "int", "float*", "View"; "" if unknown. */
void signature_name(const ParamType *type, char *out, size_t size);

#endif
