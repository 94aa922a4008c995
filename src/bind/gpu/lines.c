/* What was counted, as tables: counters, and the source lines they belong to. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "measure/measure.h"

void bind_push_counts(lua_State *L, const Counts *counts) {
	lua_createtable(L, 0, (int)ncount_fields);
	for (size_t i = 0; i < ncount_fields; i++) {
		uint64_t v;
		memcpy(&v, (const char *)counts + count_fields[i].offset, sizeof v);
		set_count(L, count_fields[i].name, (lua_Integer)v);
	}
}

static const char *const access_kinds[] = {"load", "store", "atomic", NULL};
static const Key worst_keys[] = {
	KEY_AS(WorstAccess, kind, "access", .names = access_kinds), KEY_NAME(WorstAccess, space, ptx_space_names),
	KEYS(WorstAccess, width, cost, ideal, block, warp), KEY_LANES(WorstAccess, addr, mask), KEYS_END};
static const Key line_keys[] = {KEYS(LineCounts, file, line), KEYS_END};

/* --- why counters could differ ------------------------------------------------------------------------------------ */

static const char *const causes[] = {"atomic_result", "waiting", "clock", "shared_atomic", "device_heap", NULL};
static const Key nondeterminism_keys[] = {KEY_AS(Nondeterminism, cause, "cause", .names = causes),
										  KEYS(Nondeterminism, file, line), KEYS_END};

void bind_push_nondeterminism(lua_State *L, const ItemAnswer *items, uint32_t nitems) {
	Nondeterminism all[NONDETERMINISM_CAUSES];
	size_t n = 0;
	for (uint32_t i = 0; i < nitems; i++)
		n = nondeterminism_merge(all, n, items[i].nondeterminism, items[i].nnondeterminism);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		bind_push_keys(L, nondeterminism_keys, &all[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Line `line` (from 1) of a text, without its end; NULL: there is none. */
static const char *text_line(const char *text, uint32_t line, size_t *len) {
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		if (text) text++;
	}
	if (text) *len = strcspn(text, "\r\n");
	return line ? text : NULL;
}

/* The text of another file, as far as gpulab.base.sources shows it. A program may name what it likes. */
static void push_other_source(lua_State *L, const ListArg *list, const char *file) {
	const ModuleBox *module = NULL;
	for (uint32_t i = 0; i < list->nitems && !module; i++)
		if (list->kernels[i]) module = list->kernels[i]->module;
	bind_push_function(L, "gpulab.base.sources", "read");
	lua_pushstring(L, file);
	if (module && module->of_program)
		lua_pushnil(L);
	else
		lua_pushstring(L, module && module->path ? module->path : "");
	lua_call(L, 2, 1);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushliteral(L, "");
	}
}

/* Texts of the files the lines are in: the modules' own sources, others read once. */
static void push_source_line(lua_State *L, const ListArg *list, const char *file, uint32_t line, int cache) {
	const char *own = NULL;
	size_t len;
	for (uint32_t i = 0; i < list->nitems && !own; i++) {
		const ModuleBox *module = list->kernels[i] ? list->kernels[i]->module : NULL;
		if (module && module->path && strcmp(module->path, file) == 0) own = module->source;
	}
	if (own)
		lua_pushstring(L, own);
	else if (lua_getfield(L, cache, file) == LUA_TNIL) {
		lua_pop(L, 1);
		push_other_source(L, list, file);
		lua_pushvalue(L, -1);
		lua_setfield(L, cache, file);
	}
	const char *found = text_line(lua_tostring(L, -1), line, &len);
	if (found)
		lua_pushlstring(L, found, len);
	else
		lua_pushnil(L);
	lua_remove(L, -2);
}

/* --- the lines of several launches as one list -------------------------------------------------------------------- */

static LineCounts *all_lines(const Answer *answer, size_t *count) {
	size_t most = 1;
	for (uint32_t i = 0; i < answer->nitems; i++) most += answer->items[i].nlines;
	LineCounts *all = xcalloc(most, sizeof *all);
	*count = 0;
	for (uint32_t i = 0; i < answer->nitems; i++) {
		const ItemAnswer *item = &answer->items[i];
		if (item->nlines) memcpy(all + *count, item->lines, item->nlines * sizeof *all);
		*count += item->nlines;
		if (i > 0) *count = lines_merge(all, *count);
	}
	return all;
}

void bind_push_lines(lua_State *L, const ListArg *list, const CountReport *report) {
	Holder *holder = bind_hold(L, free);
	size_t n = 0;
	const LineCounts *lines = holder->data = all_lines(&report->answer, &n);
	lua_newtable(L);
	int cache = lua_gettop(L);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		bind_push_keys(L, line_keys, &lines[i]);
		push_source_line(L, list, lines[i].file ? lines[i].file : "", lines[i].line, cache);
		lua_setfield(L, -2, "text");
		bind_push_counts(L, &lines[i].counts);
		lua_setfield(L, -2, "counters");
		if (lines[i].worst.valid) {
			bind_push_keys(L, worst_keys, &lines[i].worst);
			lua_setfield(L, -2, "worst");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	bind_drop(holder);
	lua_replace(L, cache - 1);
	lua_settop(L, cache - 1);
}
