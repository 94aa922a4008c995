/* The declarations of CUDA C++ source at namespace and class scope: where each begins and ends, what it declares, and
 * whether it is marked as device code. Both sides of an #if are read: each side continues the declaration that was open
 * before it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum {
	DECLARES_VARIABLE, /* what is none of the others */
	DECLARES_FUNCTION,
	DECLARES_TYPE,     /* class, enumeration, typedef, using X = ... */
	DECLARES_NAMESPACE /* using namespace a, namespace a = b; with body what stands before the brace of one, and of
						  extern "C" */
} Declares;

typedef struct {
	size_t from, to;  /* in the text; to: behind its last token */
	size_t specifier; /* where its `constexpr` is */
	int32_t parent;   /* the class that it is a member of; -1: none */
	uint32_t line;
	Declares kind;
	bool device;    /* __global__, __device__, __constant__ ..., also by a macro */
	bool defaulted; /* = default, = delete */
	bool body;      /* of a function, a class or an enumeration */
	bool constant;  /* const or constexpr */
	bool is_constexpr;
	bool main;       /* the function that a program begins with */
	VEC(Word) names; /* what it declares; for a class, not what its members do */
} Declaration;

typedef VEC(Declaration) Declarations;

/* Words that mark device code: the language's own, and each macro whose text has one. add_marks is called for every
 * file before the first declarations are read. */
Map *marks_new(void);
typedef struct {
	Word name, text; /* text: all behind the name, parameters included */
	uint32_t line;
} MacroText;
typedef VEC(MacroText) Macros;
void macros_of(Arena *arena, const char *text, Macros *out); /* appends each #define */
void marks_add(Map *marks, const Macros *macros);

/* functions: names of macros that take arguments. */
void declarations_read(Arena *arena, const char *text, const Map *marks, const Map *functions, Declarations *out);
