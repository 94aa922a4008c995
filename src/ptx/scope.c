/* scope.h: an open-addressing table of names, a vector of symbols that doubles as the log. */
#include "ptx/scope.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

typedef struct {
	const char *text; /* NULL: free slot */
	size_t len;
	uint64_t hash;
	uint32_t top; /* symbol + 1; 0: no declaration is in force */
} Name;

struct Scope {
	Name *names;
	size_t size, count; /* size: a power of two, at most half full */
	VEC(Symbol) log;
	uint32_t depth;
};

Scope *scope_new(void) {
	Scope *scope = xcalloc(1, sizeof *scope);
	scope->size = 256;
	scope->names = xcalloc(scope->size, sizeof *scope->names);
	return scope;
}

void scope_free(Scope *scope) {
	if (!scope) return;
	vec_free(&scope->log);
	free(scope->names);
	free(scope);
}

static uint64_t hash_of(const char *text, size_t len) {
	uint64_t h = 0x9E3779B97F4A7C15u ^ len;
	for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001B3u;
	return h ^ h >> 29;
}

static size_t slot_of(const Scope *scope, const char *text, size_t len, uint64_t hash) {
	for (size_t i = hash & (scope->size - 1);; i = (i + 1) & (scope->size - 1)) {
		const Name *n = &scope->names[i];
		if (!n->text || (n->hash == hash && n->len == len && memcmp(n->text, text, len) == 0)) return i;
	}
}

/* Symbols remember their name's slot, so slots that move are told to their symbols. */
static void grow(Scope *scope) {
	Name *old = scope->names;
	size_t old_size = scope->size;
	scope->size *= 2;
	scope->names = xcalloc(scope->size, sizeof *scope->names);
	for (size_t i = 0; i < old_size; i++) {
		if (!old[i].text) continue;
		size_t slot = slot_of(scope, old[i].text, old[i].len, old[i].hash);
		scope->names[slot] = old[i];
		for (uint32_t s = old[i].top; s; s = scope->log.data[s - 1].below) scope->log.data[s - 1].name = (uint32_t)slot;
	}
	free(old);
}

void scope_enter(Scope *scope) {
	scope->depth++;
}

void scope_leave(Scope *scope) {
	while (scope->log.len && vec_last(&scope->log).depth == scope->depth) {
		const Symbol *s = &vec_last(&scope->log);
		scope->names[s->name].top = s->below;
		scope->log.len--;
	}
	scope->depth--;
}

uint32_t scope_depth(const Scope *scope) {
	return scope->depth;
}

Symbol *scope_find(Scope *scope, const char *name, size_t len) {
	const Name *n = &scope->names[slot_of(scope, name, len, hash_of(name, len))];
	return n->text && n->top ? &scope->log.data[n->top - 1] : NULL;
}

Symbol *scope_hidden(Scope *scope, const Symbol *symbol) {
	return symbol->below ? &scope->log.data[symbol->below - 1] : NULL;
}

Symbol *scope_declare(Scope *scope, SymbolKind kind, const char *name, size_t len) {
	if ((scope->count + 1) * 2 > scope->size) grow(scope);
	uint64_t hash = hash_of(name, len);
	size_t slot = slot_of(scope, name, len, hash);
	Name *n = &scope->names[slot];
	if (!n->text) {
		*n = (Name){.text = name, .len = len, .hash = hash};
		scope->count++;
	}
	if (n->top && scope->log.data[n->top - 1].depth == scope->depth) return NULL;
	vec_push(&scope->log, (Symbol){.kind = kind, .depth = scope->depth, .name = (uint32_t)slot, .below = n->top});
	n->top = (uint32_t)scope->log.len;
	return &vec_last(&scope->log);
}
