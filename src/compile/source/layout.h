/* How CUDA C++ lays out a class of a source: the offsets and types of its data members, for passing one by value. */
#ifndef GPULAB_COMPILE_LAYOUT_H
#define GPULAB_COMPILE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/values/elem.h"

typedef enum { LAYOUT_NUMBER, LAYOUT_BOOL, LAYOUT_POINTER, LAYOUT_CLASS } LayoutKind;

typedef struct Layout Layout;

typedef struct {
	const char *name;
	LayoutKind kind;
	ElemType elem;        /* LAYOUT_NUMBER */
	const Layout *class;  /* LAYOUT_CLASS */
	size_t offset, bytes; /* bytes: of one */
	size_t count;         /* of an array; 0: it is none */
} LayoutField;

struct Layout {
	LayoutField *fields;
	size_t nfields, bytes, align;
};

/* The class of that name, or one that CUDA has (float4, dim3). NULL: there is none, or it has what is not understood:
 * bases, virtual functions, bit fields, templates. All of it lives in the arena. */
const Layout *layout_of(Arena *arena, const char *source, const char *name, size_t len);

/* Of "float4", "__half2": the type of its components and how many they are. */
bool layout_vector(const char *name, size_t len, ElemType *elem, size_t *width);

#endif
