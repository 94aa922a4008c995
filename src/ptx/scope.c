/* scope.h: a map numbers the names, and a vector of symbols doubles as the log. */
#include "ptx/scope.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

struct Scope {
	Map *names;
	VEC(uint32_t) top; /* by name: symbol + 1; 0: no declaration is in force */
	VEC(Symbol) log;
	uint32_t depth;
};

Scope *scope_new(void) {
	Scope *scope = xcalloc(1, sizeof *scope);
	scope->names = map_new_borrowing();
	return scope;
}

void scope_free(Scope *scope) {
	if (!scope) return;
	vec_free(&scope->log);
	vec_free(&scope->top);
	map_free(scope->names);
	free(scope);
}

void scope_enter(Scope *scope) {
	scope->depth++;
}

void scope_leave(Scope *scope) {
	while (scope->log.len && vec_last(&scope->log).depth == scope->depth) {
		const Symbol *s = &vec_last(&scope->log);
		scope->top.data[s->name] = s->below;
		scope->log.len--;
	}
	scope->depth--;
}

Symbol *scope_find(Scope *scope, const char *name, size_t len) {
	const uint32_t number = map_number(scope->names, name, len), top = number ? scope->top.data[number - 1] : 0;
	return top ? &scope->log.data[top - 1] : NULL;
}

Symbol *scope_hidden(Scope *scope, const Symbol *symbol) {
	return symbol->below ? &scope->log.data[symbol->below - 1] : NULL;
}

Symbol *scope_declare(Scope *scope, SymbolKind kind, const char *name, size_t len) {
	const uint32_t number = map_number_of(scope->names, name, len) - 1;
	if (number == scope->top.len) vec_push(&scope->top, 0);
	uint32_t *top = &scope->top.data[number];
	if (*top && scope->log.data[*top - 1].depth == scope->depth) return NULL;
	vec_push(&scope->log, (Symbol){.kind = kind, .depth = scope->depth, .name = number, .below = *top});
	*top = (uint32_t)scope->log.len;
	return &vec_last(&scope->log);
}
