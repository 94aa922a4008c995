/* What was counted, as tables: counters, and the source lines they belong to. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
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

static void push_worst(lua_State *L, const WorstAccess *w) {
	static const char *const kinds[] = {"load", "store", "atomic"};
	lua_createtable(L, 0, 8);
	set_text(L, "access", kinds[w->kind]);
	set_text(L, "space", ptx_space_name(w->space));
	set_count(L, "width", w->width);
	set_count(L, "cost", w->cost);
	set_count(L, "ideal", w->ideal);
	set_count(L, "block", w->block);
	set_count(L, "warp", w->warp);
	lua_createtable(L, 32, 1);
	for (int lane = 0; lane < 32; lane++) {
		if (!(w->mask >> lane & 1)) continue;
		lua_pushinteger(L, (lua_Integer)w->addr[lane]);
		lua_rawseti(L, -2, lane);
	}
	lua_setfield(L, -2, "lanes");
}

/* Line `line` (from 1) of a text, without its end; NULL: there is none. */
static const char *text_line(const char *text, uint32_t line, size_t *len) {
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		if (text) text++;
	}
	if (text) *len = strcspn(text, "\r\n");
	return line ? text : NULL;
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
		char *text = file_read(file, &len, NULL);
		lua_pop(L, 1);
		lua_pushstring(L, text ? text : "");
		free(text);
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
		lua_createtable(L, 0, 5);
		set_text(L, "file", lines[i].file);
		set_count(L, "line", lines[i].line);
		push_source_line(L, list, lines[i].file ? lines[i].file : "", lines[i].line, cache);
		lua_setfield(L, -2, "text");
		bind_push_counts(L, &lines[i].counts);
		lua_setfield(L, -2, "counters");
		if (lines[i].worst.valid) {
			push_worst(L, &lines[i].worst);
			lua_setfield(L, -2, "worst");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	bind_drop(holder);
	lua_replace(L, cache - 1);
	lua_settop(L, cache - 1);
}
