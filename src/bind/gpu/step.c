/* gpu.step: a launch that is stepped, and its moments as tables. */
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "bind/values/set.h"
#include "device/step.h"

#define CLASS_STEPPING "gpulab.stepping"

typedef struct {
	Stepping *stepping; /* NULL: closed */
} SteppingBox;

enum { MOST_STOPS = 1000, MOST_EXPRESSIONS = 1000 };

static Stepping *check_stepping(lua_State *L) {
	SteppingBox *box = luaL_checkudata(L, 1, CLASS_STEPPING);
	if (!box->stepping) bind_bad(L, 1, "the stepped launch is closed");
	return box->stepping;
}

/* --- gpu.step ----------------------------------------------------------------------------------------------------- */

int bind_step(lua_State *L) {
	Err err = ERR_INIT;
	const int first = bind_first_of_list(L);
	lua_settop(L, bind_after_list(L, first) - 1);
	const ListArg list = bind_check_list(L, first, NULL);
	if (list.nitems != 1 || !list.kernels[0]) return bind_bad(L, first, "one launch of a kernel expected");
	SteppingBox *box = bind_box(L, sizeof *box, CLASS_STEPPING, 0);
	if (!stepping_open(bind_open(L, list.owner), &list.items[0].launch, &box->stepping, &err)) bind_raise(L, &err);
	str_free(list.output);
	return 1;
}

void bind_push_stepping(lua_State *L, Stepping *stepping) {
	SteppingBox *box = bind_box(L, sizeof *box, CLASS_STEPPING, 0);
	box->stepping = stepping;
}

static int stepping_gc(lua_State *L) {
	SteppingBox *box = luaL_checkudata(L, 1, CLASS_STEPPING);
	Stepping *stepping = box->stepping;
	box->stepping = NULL;
	stepping_close(stepping);
	return 0;
}

/* --- moments ------------------------------------------------------------------------------------------------------ */

static void push_sides(lua_State *L, const StepMoment *m) {
	static const char *const states[SIDES] = {"runs", "other branch", "rejoins", "barrier", "sync", "returns"};
	lua_createtable(L, (int)m->nsides, 0);
	for (uint32_t i = 0; i < m->nsides; i++) {
		const StepSide *s = &m->sides[i];
		lua_createtable(L, 0, 5);
		set_text(L, "state", states[s->state]);
		set_count(L, "mask", s->mask);
		set_count(L, "line", s->line);
		set_count(L, "rejoin", s->rejoin_line);
		set_count(L, "barrier", s->barrier);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_warps(lua_State *L, const StepMoment *m) {
	static const char *const states[WARP_STATES] = {"ready", "barrier", "sync", "ended"};
	lua_createtable(L, (int)m->nwarps, 0);
	for (uint32_t i = 0; i < m->nwarps; i++) {
		const StepWarp *w = &m->warps[i];
		lua_createtable(L, 0, 7);
		set_text(L, "state", states[w->state]);
		set_count(L, "mask", w->mask);
		set_count(L, "alive", w->alive);
		set_count(L, "lanes", w->lanes);
		set_count(L, "line", w->line);
		set_count(L, "barrier", w->barrier);
		set_count(L, "instructions", (lua_Integer)w->instructions);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_barriers(lua_State *L, const StepMoment *m) {
	lua_createtable(L, (int)m->nbarriers, 0);
	for (uint32_t i = 0; i < m->nbarriers; i++) {
		lua_createtable(L, 0, 3);
		set_count(L, "id", m->barriers[i].id);
		set_count(L, "arrived", m->barriers[i].arrived);
		set_count(L, "expected", m->barriers[i].expected);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_frames(lua_State *L, const StepMoment *m) {
	lua_createtable(L, (int)m->nframes, 0);
	for (uint32_t i = 0; i < m->nframes; i++) {
		lua_createtable(L, 0, 4);
		set_text(L, "name", m->frames[i].function);
		set_text(L, "file", m->frames[i].file);
		set_count(L, "line", m->frames[i].line);
		set_flag(L, "inlined", m->frames[i].inlined);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_accesses(lua_State *L, const StepMoment *m) {
	static const char *const kinds[] = {"load", "store", "atomic"};
	lua_createtable(L, (int)m->naccesses, 0);
	for (uint32_t i = 0; i < m->naccesses; i++) {
		const StepAccess *a = &m->accesses[i];
		lua_createtable(L, 0, 7);
		set_text(L, "access", kinds[a->kind]);
		set_text(L, "space", ptx_space_name(a->space));
		set_count(L, "width", a->width);
		set_count(L, "line", a->line);
		set_text(L, "name", a->name);
		set_count(L, "base", (lua_Integer)a->base);
		lua_createtable(L, 32, 1);
		for (int lane = 0; lane < 32; lane++) {
			if (!(a->mask >> lane & 1)) continue;
			lua_pushinteger(L, (lua_Integer)a->addr[lane]);
			lua_rawseti(L, -2, lane);
		}
		lua_setfield(L, -2, "lanes");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_events(lua_State *L, const StepMoment *m) {
	lua_createtable(L, (int)m->nevents, 0);
	for (uint32_t i = 0; i < m->nevents; i++) {
		const StepEvent *e = &m->events[i];
		lua_createtable(L, 0, 5);
		set_count(L, "time", (lua_Integer)e->time);
		set_count(L, "warp", e->warp);
		set_count(L, "line", e->line);
		set_count(L, "mask", e->mask);
		set_flag(L, "barrier", e->barrier);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_moment(lua_State *L, const StepMoment *m) {
	static const char *const halts[HALTS] = {"begin",       "done", "stop",        "fault",  "warp ended",
											 "block ended", "time", "interrupted", "refused"};
	lua_createtable(L, 0, 20);
	set_text(L, "halt", halts[m->halt]);
	if (m->halt == HALT_STOP) set_count(L, "stop", m->stop);
	set_count(L, "time", (lua_Integer)m->time);
	set_count(L, "count", (lua_Integer)m->count);
	set_three(L, "block", m->block);
	set_count(L, "warp", m->warp);
	set_count(L, "mask", m->mask);
	set_count(L, "alive", m->alive);
	set_count(L, "lanes", m->lanes);
	set_count(L, "line", m->line);
	set_text(L, "file", m->file ? m->file : "");
	set_text(L, "instruction", m->instruction ? m->instruction : "");
	set_count(L, "text_line", m->text_line);
	set_text(L, "message", m->message);
	if (m->halt == HALT_FAULT && m->fault.located) {
		set_three(L, "fault_block", m->fault.block);
		set_three(L, "fault_thread", m->fault.thread);
	}
	push_sides(L, m);
	lua_setfield(L, -2, "sides");
	push_warps(L, m);
	lua_setfield(L, -2, "warps");
	push_barriers(L, m);
	lua_setfield(L, -2, "barriers");
	push_frames(L, m);
	lua_setfield(L, -2, "frames");
	push_accesses(L, m);
	lua_setfield(L, -2, "accesses");
	push_events(L, m);
	lua_setfield(L, -2, "events");
}

/* --- s:go --------------------------------------------------------------------------------------------------------- */

static lua_Integer whole(lua_State *L, int table, const char *key, lua_Integer usual, lua_Integer most) {
	lua_Integer v = usual;
	int is_whole = 1;
	if (lua_getfield(L, table, key) != LUA_TNIL) v = lua_tointegerx(L, -1, &is_whole);
	if (!is_whole || v > most || v < (usual < 0 ? usual : 0))
		bind_bad(L, 2, "%s: a whole number from 0 to %I expected", key, (LUAI_UACINT)most);
	lua_pop(L, 1);
	return v;
}

/* The text stays in the table. */
static const char *text_of(lua_State *L, int table, const char *key) {
	const int type = lua_getfield(L, table, key);
	if (type != LUA_TNIL && type != LUA_TSTRING)
		bind_bad(L, 2, "%s: string expected, got %s", key, lua_typename(L, type));
	const char *text = lua_tostring(L, -1);
	lua_pop(L, 1);
	return text;
}

static bool flag_of(lua_State *L, int table, const char *key) {
	lua_getfield(L, table, key);
	const bool v = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return v;
}

static int choice(lua_State *L, int table, const char *key, const char *const *names, int n) {
	const char *text = text_of(L, table, key);
	for (int i = 0; text && i < n; i++)
		if (strcmp(text, names[i]) == 0) return i;
	return bind_bad(L, 2, "%s: there is no \"%s\"", key, text ? text : "nil");
}

static StepStop check_stop(lua_State *L, int table) {
	static const char *const keys[] = {"number", "kind",      "name",    "line",  "first", "last",   "warp",
									   "lanes",  "condition", "address", "bytes", "space", "stores", NULL};
	static const char *const kinds[STOP_AT_KINDS] = {"line", "function", "address", "change"};
	static const char *const spaces[] = {"global", "shared", "local", "const"};
	static const PtxSpace of[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
	bind_check_keys(L, table, 2, keys);
	StepStop stop = {.number = (uint32_t)whole(L, table, "number", 0, INT32_MAX),
					 .kind = (StopKind)choice(L, table, "kind", kinds, STOP_AT_KINDS),
					 .name = text_of(L, table, "name"),
					 .line = (uint32_t)whole(L, table, "line", 0, INT32_MAX),
					 .first = (uint32_t)whole(L, table, "first", 0, INT32_MAX),
					 .last = (uint32_t)whole(L, table, "last", 0, INT32_MAX),
					 .warp = (int32_t)whole(L, table, "warp", -1, 1024),
					 .lanes = (uint32_t)whole(L, table, "lanes", 0, UINT32_MAX),
					 .condition = text_of(L, table, "condition"),
					 .address = (uint64_t)whole(L, table, "address", 0, INT64_MAX),
					 .bytes = (uint32_t)whole(L, table, "bytes", 1, INT32_MAX),
					 .stores_only = flag_of(L, table, "stores")};
	stop.space = stop.kind == STOP_AT_ADDRESS ? of[choice(L, table, "space", spaces, 4)] : SPACE_GLOBAL;
	return stop;
}

static StepStop *check_stops(lua_State *L, uint32_t *count) {
	const int type = lua_getfield(L, 2, "stops"), list = lua_gettop(L);
	if (type != LUA_TNIL && type != LUA_TTABLE) bind_bad(L, 2, "stops: a list expected");
	const lua_Unsigned n = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
	if (n > MOST_STOPS) bind_bad(L, 2, "stops: at most %d", MOST_STOPS);
	StepStop *stops = lua_newuserdatauv(L, (n + 1) * sizeof *stops, 0);
	for (lua_Unsigned i = 0; i < n; i++) {
		if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TTABLE) bind_bad(L, 2, "stops: a list of tables expected");
		stops[i] = check_stop(L, lua_gettop(L));
		lua_pop(L, 1);
	}
	*count = (uint32_t)n;
	return stops;
}

static int stepping_go_(lua_State *L) {
	static const char *const keys[] = {"way", "back", "count", "block", "warp", "stops", "trace", NULL};
	static const char *const ways[GO_WAYS] = {"instruction", "line", "over", "out", "on", "barrier", "time", "here"};
	Stepping *stepping = check_stepping(L);
	Err err = ERR_INIT;
	StepMoment moment;
	luaL_checktype(L, 2, LUA_TTABLE);
	bind_check_keys(L, 2, 2, keys);
	StepGo go = {.way = (StepWay)choice(L, 2, "way", ways, GO_WAYS),
				 .back = flag_of(L, 2, "back"),
				 .trace = flag_of(L, 2, "trace"),
				 .count = (uint64_t)whole(L, 2, "count", 1, INT64_MAX),
				 .focus = {.block = (uint32_t)whole(L, 2, "block", 0, UINT32_MAX),
						   .warp = (uint32_t)whole(L, 2, "warp", 0, UINT32_MAX)}};
	go.stops = check_stops(L, &go.nstops);
	if (!stepping_go(stepping, &go, &moment, &err)) return bind_raise(L, &err);
	push_moment(L, &moment);
	return 1;
}

/* --- s:read ------------------------------------------------------------------------------------------------------- */

static void push_lane(lua_State *L, ValueType type, uint64_t bits) {
	float f;
	double d;
	const uint32_t low = (uint32_t)bits;
	switch (type) {
	case VALUE_F32:
		memcpy(&f, &low, sizeof f);
		lua_pushnumber(L, (lua_Number)f);
		break;
	case VALUE_F64:
		memcpy(&d, &bits, sizeof d);
		lua_pushnumber(L, d);
		break;
	case VALUE_S32: lua_pushinteger(L, (int32_t)low); break;
	case VALUE_U32: lua_pushinteger(L, low); break;
	default: lua_pushinteger(L, (lua_Integer)bits); break;
	}
}

static void push_value(lua_State *L, const StepValue *v) {
	static const char *const types[VALUE_TYPES] = {"s32", "u32", "s64", "u64", "f32", "f64"};
	lua_createtable(L, 0, 3);
	set_text(L, "type", types[v->type]);
	if (*v->trouble) set_text(L, "trouble", v->trouble);
	lua_createtable(L, 32, 1);
	for (int lane = 0; lane < 32; lane++) {
		if (!(v->known >> lane & 1)) continue;
		push_lane(L, v->type, v->lane[lane]);
		lua_rawseti(L, -2, lane);
	}
	lua_setfield(L, -2, "lanes");
}

static int stepping_read_(lua_State *L) {
	Stepping *stepping = check_stepping(L);
	Err err = ERR_INIT;
	const StepValue *values;
	luaL_checktype(L, 2, LUA_TTABLE);
	const lua_Unsigned n = lua_rawlen(L, 2);
	if (n > MOST_EXPRESSIONS) return bind_bad(L, 2, "at most %d expressions", MOST_EXPRESSIONS);
	const char **texts = lua_newuserdatauv(L, (n + 1) * sizeof *texts, 0);
	for (lua_Unsigned i = 0; i < n; i++) {
		if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TSTRING) return bind_bad(L, 2, "a list of strings expected");
		texts[i] = lua_tostring(L, -1); /* the table keeps it */
		lua_pop(L, 1);
	}
	if (!stepping_read(stepping, texts, (uint32_t)n, &values, &err)) return bind_raise(L, &err);
	lua_createtable(L, (int)n, 0);
	for (lua_Unsigned i = 0; i < n; i++) {
		push_value(L, &values[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int stepping_places_(lua_State *L) {
	uint32_t n;
	const StepPlace *places = stepping_places(check_stepping(L), &n);
	lua_createtable(L, (int)n, 0);
	for (uint32_t i = 0; i < n; i++) {
		lua_createtable(L, 0, 5);
		set_text(L, "file", places[i].file);
		set_text(L, "name", places[i].function);
		set_count(L, "line", places[i].line);
		set_count(L, "text_line", places[i].text_line);
		set_flag(L, "inlined", places[i].inlined);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* --- the class ---------------------------------------------------------------------------------------------------- */

static bool stepping_field(lua_State *L, void *data, const char *name) {
	const SteppingBox *box = data;
	(void)name;
	if (!box->stepping) return false;
	lua_pushstring(L, stepping_gpu(box->stepping));
	return true;
}

static const BindEntry stepping_entries[] = {
	{"go", stepping_go_, "s:go{way=, back=, count=, block=, warp=, stops=} -> moment",
	 "Runs to the next instruction, line, over a call, out of one, on to a stop, to a barrier, or to a time; with\n"
	 "back = true to the last such moment before this one. The moment describes the warp and its block."},
	{"read", stepping_read_, "s:read{expression, ...} -> list of {type=, lanes=}",
	 "Values of postfix expressions for the lanes of the warp; lanes[0] to lanes[31] where there is one."},
	{"places", stepping_places_, "s:places() -> list of {file=, line=, name=}", "The lines a stop can be at."},
	{"close", stepping_gc, "s:close()", "Ends the stepped launch."},
	{"gpu", NULL, "s.gpu", "The emulated GPU it runs on."},
	{NULL, NULL, NULL, NULL}};

static const BindClass stepping_class;

static int stepping_index(lua_State *L) {
	return bind_index(L, &stepping_class, luaL_checkudata(L, 1, CLASS_STEPPING));
}

static const luaL_Reg stepping_meta[] = {
	{"__index", stepping_index}, {"__gc", stepping_gc}, {"__close", stepping_gc}, {NULL, NULL}};

static const BindClass stepping_class = {.metatable = CLASS_STEPPING,
										 .prefix = "stepping:",
										 .usage = "s = gpu.step(k, config, args)",
										 .help = "A launch that stops between any two instructions, forward and back.",
										 .entries = stepping_entries,
										 .metamethods = stepping_meta,
										 .field = stepping_field};

void bind_stepping_class(lua_State *L) {
	bind_class(L, &stepping_class);
}
