/* Between the files that read layouts: types by their words, and what a class is made of. */
#pragma once

#include "base/arena.h"
#include "compile/source/declarations.h"
#include "compile/source/layout.h"
#include "compile/source/tokens.h"

enum { LAYOUT_DEEPEST = 16, LAYOUT_MOST_ELEMENTS = 1 << 16, MOST_WORDS = 8 };

/* What was found of a class, by its declaration. */
typedef struct {
	bool done, open; /* open: it is being read */
	const Layout *layout;
	const char *why;
} Known;

struct Layouts {
	Arena *arena;
	const char *source;
	Declarations list;
	Macros macros;
	Known *known;
	int depth;
	const char *why;                                  /* the first thing that was not understood */
	const Layout *(*class_of)(Layouts *r, Word name); /* layout.c, which reads types by layout_types.c */
	bool doubt;                                       /* as Layout.doubtful, of the class that is being read */
};

/* A type, before its declarators. */
typedef struct {
	LayoutKind kind;
	ElemType elem;
	Pointee to;
	const Layout *class;
	size_t bytes, align;
} LayoutType;

typedef VEC(Tok) Tokens;

/* Of what was not understood the innermost is named, which is the first. Returns false. */
bool layout_fail(Layouts *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- layout_types.c ----------------------------------------------------------------------------------------------- */

bool layout_has_name(const Declaration *d, Word name);
const Declaration *layout_declared(const Layouts *r, Word name); /* at namespace scope; NULL: not */
Tokens layout_tokens_between(Layouts *r, const char *from, const char *to);
Tokens layout_tokens(Layouts *r, const Declaration *d);
bool layout_plain_word(const Tok *t); /* part of a type's name, or a member's */
bool layout_is_enumeration(Layouts *r, const Declaration *d);
bool layout_is_ambiguous(Layouts *r, Word name); /* several declarations say what the type is */
bool layout_cuda_type(Arena *arena, Word name, LayoutType *out);
bool layout_type(Layouts *r, const Word *words, size_t n, LayoutType *out);
/* What a pointer to these words points to. A class is not looked into, since it may hold such pointers. */
Pointee layout_pointee(Layouts *r, const Word *of, size_t n);
