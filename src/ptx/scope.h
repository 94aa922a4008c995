/* The meaning of a name at one point of the text. Scopes nest like their braces; an inner declaration hides an outer
 * one until its scope is left. Each name has a stack of symbols, innermost on top; a log of all symbols in order of
 * declaration determines what to pop:
 *
 *     names:  "%r" -> [range, depth 1]      "param0" -> [var, depth 3] -> [var, depth 2]
 *     log:    ... | depth 1: %r %p | depth 2: param0 | depth 3: param0
 *
 * Names point into the parsed text, which outlives the table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ptx/module.h"

typedef enum {
	SYM_REG,       /* index: register of the function */
	SYM_RANGE,     /* %r<20>: count, type; index: number of the range */
	SYM_VAR,       /* var */
	SYM_FUNCTION,  /* function */
	SYM_LABEL,     /* index: instruction */
	SYM_TARGETS,   /* index: .branchtargets list */
	SYM_PROTOTYPE, /* function: a .callprototype */
} SymbolKind;

typedef struct Symbol {
	SymbolKind kind;
	PtxType type;
	uint32_t depth, index, count;
	PtxVar *var;
	PtxFunction *function;
	uint32_t name, below; /* the number of the name; the hidden symbol + 1 */
} Symbol;

typedef struct Scope Scope;

Scope *scope_new(void);
void scope_free(Scope *scope);

void scope_enter(Scope *scope);
void scope_leave(Scope *scope);

/* The pointers are good until the next declaration. */
Symbol *scope_find(Scope *scope, const char *name, size_t len); /* NULL: not declared */
Symbol *scope_hidden(Scope *scope, const Symbol *symbol);       /* what it hides; NULL: nothing */
/* Declares in the current scope; NULL if this scope has the name already. Fill in what the kind needs. */
Symbol *scope_declare(Scope *scope, SymbolKind kind, const char *name, size_t len);
