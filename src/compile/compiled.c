/* compile.h: what a compile results in. */
#include <string.h>

#include "compile/compile.h"
#include "compile/names.h"

Compiled *compiled_copy(const Compiled *from) {
	Arena *arena = arena_new();
	Compiled *to = arena_alloc(arena, sizeof *to);
	*to = *from;
	to->arena = arena;
	if (from->cubin) to->cubin = arena_strndup(arena, from->cubin, from->cubin_bytes);
	to->ptx = arena_strndup(arena, from->ptx, from->ptx_bytes);
	to->log = arena_strdup(arena, from->log ? from->log : "");
	to->names = arena_array(arena, from->nnames, sizeof *to->names);
	for (uint32_t i = 0; i < from->nnames; i++)
		to->names[i] =
			(CompiledName){arena_strdup(arena, from->names[i].name), arena_strdup(arena, from->names[i].linked)};
	return to;
}

void compiled_free(Compiled *compiled) {
	if (compiled) arena_free(compiled->arena);
}

const char *compiled_linked_name(const Compiled *compiled, const char *name) {
	const CompiledName *names = compiled->names;
	for (uint32_t i = 0; i < compiled->nnames; i++)
		if (names_equal(names[i].name, name)) return names[i].linked;
	for (uint32_t i = 0; i < compiled->nnames; i++)
		if (strcmp(names[i].linked, name) == 0) return names[i].linked;
	return NULL;
}
