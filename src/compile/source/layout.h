/* How CUDA C++ lays out a class of a source: offsets and types of its data members, for passing one by value and for
 * buffers of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/values/elem.h"

typedef enum { LAYOUT_NUMBER, LAYOUT_BOOL, LAYOUT_POINTER, LAYOUT_CLASS } LayoutKind;

typedef struct Layout Layout;

/* What a pointer points to. */
typedef enum {
	POINTEE_UNKNOWN, /* or void */
	POINTEE_NUMBER,  /* elem; of float4: its components */
	POINTEE_POINTER,
	POINTEE_CLASS /* by its name */
} PointeeKind;

typedef struct {
	PointeeKind kind;
	ElemType elem;
	const char *name;
	size_t name_len;
} Pointee;

enum { LAYOUT_EXTENTS = 4 };

typedef struct {
	const char *name;
	LayoutKind kind;
	ElemType elem;                  /* LAYOUT_NUMBER */
	Pointee to;                     /* LAYOUT_POINTER */
	const Layout *class;            /* LAYOUT_CLASS */
	size_t offset, bytes;           /* bytes: of one */
	size_t count;                   /* of an array; 0: it is none */
	size_t extents[LAYOUT_EXTENTS]; /* whose product that is: m[2][3] has 2, 3 */
	size_t nextents;
} LayoutField;

struct Layout {
	const char *name; /* of a class of the source; NULL: of CUDA */
	LayoutField *fields;
	size_t nfields, bytes, align;
	bool hidden;   /* fields are private: other code cannot name them */
	bool doubtful; /* what it is made of has several declarations, or conditions inside: others may be meant */
};

/* The classes of a source and of the headers that it includes. */
typedef struct Layouts Layouts;

Layouts *layouts_new(const char *source, const char *headers); /* headers: their texts, or NULL */
void layouts_free(Layouts *layouts);                           /* NULL is allowed */

/* The class of that name, or one that CUDA has (float4, dim3). NULL: there is none, or it has what is not understood;
 * *why says what. It lives as long as the layouts do. */
const Layout *layouts_find(Layouts *layouts, const char *name, size_t len, const char **why);

/* A variable's type, if its one declaration says it; doubtful as above. */
bool layouts_variable(Layouts *layouts, const char *name, size_t len, LayoutField *out, bool *doubtful);

/* Of "float4", "__half2": the type of its components and how many they are. */
bool layout_vector(const char *name, size_t len, ElemType *elem, size_t *width);
