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
	const int first = bind_first_of_list(L);
	lua_settop(L, bind_after_list(L, first) - 1);
	const ListArg list = bind_check_list(L, first, NULL);
	if (list.nitems != 1 || !list.kernels[0]) return bind_bad(L, first, "one launch of a kernel expected");
	SteppingBox *box = bind_box(L, sizeof *box, CLASS_STEPPING, 0);
	bind_must(L, stepping_open(bind_open(L, list.owner), &list.items[0].launch, &box->stepping, bind_err()));
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

static const char *const access_kinds[] = {"load", "store", "atomic", NULL};
static const char *const sides[] = {"runs", "other branch", "rejoins", "barrier", "sync", "returns", NULL};
static const char *const warp_states[] = {"ready", "barrier", "sync", "ended", NULL};
static const char *const halts[] = {"begin",       "done", "stop",        "fault",   "warp ended",
									"block ended", "time", "interrupted", "refused", NULL};

static const Key side_keys[] = {KEY_NAME(StepSide, state, sides), KEYS(StepSide, mask, line, text_line, barrier),
								KEY_AS(StepSide, rejoin_line, "rejoin"), KEYS_END};
static const Key warp_keys[] = {KEY_NAME(StepWarp, state, warp_states),
								KEYS(StepWarp, mask, alive, lanes, line, barrier, instructions), KEYS_END};
static const Key barrier_keys[] = {KEYS(StepBarrier, id, arrived, expected), KEYS_END};
static const Key frame_keys[] = {KEY_AS(StepFrame, function, "name"), KEYS(StepFrame, file, line, inlined), KEYS_END};
static const Key access_keys[] = {KEY_AS(StepAccess, kind, "access", .names = access_kinds),
								  KEY_AS(StepAccess, space, "space", .names = ptx_space_names),
								  KEYS(StepAccess, width, line, name, base), KEY_LANES(StepAccess, addr, mask),
								  KEYS_END};
static const Key event_keys[] = {KEYS(StepEvent, time, warp, line, mask, barrier), KEYS_END};
static const Key moment_keys[] = {KEY_NAME(StepMoment, halt, halts),
								  KEYS(StepMoment, time, count, block, warp, mask, alive, lanes, line, file,
									   instruction, text_line, message, printed, printed_bytes),
								  KEY_LIST(StepMoment, sides, nsides, side_keys),
								  KEY_LIST(StepMoment, warps, nwarps, warp_keys),
								  KEY_LIST(StepMoment, barriers, nbarriers, barrier_keys),
								  KEY_LIST(StepMoment, frames, nframes, frame_keys),
								  KEY_LIST(StepMoment, accesses, naccesses, access_keys),
								  KEY_LIST(StepMoment, events, nevents, event_keys),
								  KEYS_END};
static const Key fault_keys[] = {KEYS(Fault, line, space, access, buffer, address, offset, block, thread, threads),
								 KEYS_END};

static void push_moment(lua_State *L, StepMoment *m) {
	if (!m->file) m->file = "";
	if (!m->instruction) m->instruction = "";
	if (!m->printed) m->printed = "";
	bind_push_keys(L, moment_keys, m);
	if (m->halt == HALT_STOP) set_count(L, "stop", m->stop);
	if (!m->fault.located) return;
	bind_push_keys(L, fault_keys, &m->fault);
	lua_setfield(L, -2, "fault");
}

/* --- s:go --------------------------------------------------------------------------------------------------------- */

static const char *const stop_kinds[] = {"line", "function", "address", "change", NULL};
static const char *const ways[] = {"instruction", "line", "over", "out", "on", "barrier", "time", "here", NULL};

static const Key stop_keys[] = {
	KEY_NAME(StepStop, kind, stop_kinds, .flags = NEEDED),
	KEY_NAME(StepStop, space, ptx_space_names),
	KEYS(StepStop, number, name, line, first, last, lanes, condition, address, bytes, depth),
	KEY_WHOLE(StepStop, warp, -1, 1024),
	KEY_AS(StepStop, stores_only, "stores"),
	KEYS_END};
static const Key go_keys[] = {KEY_NAME(StepGo, way, ways, .flags = NEEDED),
							  KEYS(StepGo, back, count, trace),
							  KEY_AS(StepGo, focus.block, "block"),
							  KEY_AS(StepGo, focus.warp, "warp"),
							  KEY_ALLOWED("stops"),
							  KEYS_END};

static StepStop *check_stops(lua_State *L, uint32_t *count) {
	const int type = lua_getfield(L, 2, "stops"), list = lua_gettop(L);
	if (type != LUA_TNIL && type != LUA_TTABLE) bind_bad(L, 2, "stops: a list expected");
	const lua_Unsigned n = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
	if (n > MOST_STOPS) bind_bad(L, 2, "stops: at most %d", MOST_STOPS);
	StepStop *stops = lua_newuserdatauv(L, (n + 1) * sizeof *stops, 0);
	for (lua_Unsigned i = 0; i < n; i++) {
		if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TTABLE) bind_bad(L, 2, "stops: a list of tables expected");
		stops[i] = (StepStop){.warp = -1, .bytes = 1, .space = SPACE_GLOBAL};
		bind_read_keys_at(L, -1, 2, "stops: ", stop_keys, &stops[i]);
		if (stops[i].kind == STOP_AT_ADDRESS && (stops[i].space < SPACE_GLOBAL || stops[i].space > SPACE_CONST))
			bind_bad(L, 2, "stops: space: not memory");
		lua_pop(L, 1);
	}
	*count = (uint32_t)n;
	return stops;
}

static int stepping_go_(lua_State *L) {
	Stepping *stepping = check_stepping(L);
	StepMoment moment;
	StepGo go = {.count = 1};
	luaL_checktype(L, 2, LUA_TTABLE);
	bind_read_keys(L, 2, go_keys, &go);
	go.stops = check_stops(L, &go.nstops);
	bind_must(L, stepping_go(stepping, &go, &moment, bind_err()));
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
	static const char *const types[] = {"s32", "u32", "s64", "u64", "f32", "f64", NULL};
	static const Key keys[] = {KEY_NAME(StepValue, type, types), KEY_KNOWN(StepValue, trouble, "trouble"), KEYS_END};
	bind_push_keys(L, keys, v);
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
	const StepValue *values;
	size_t n;
	luaL_checktype(L, 2, LUA_TTABLE);
	const char *const *texts = bind_check_texts(L, 2, 2, "", 0, &n);
	if (n > MOST_EXPRESSIONS) return bind_bad(L, 2, "at most %d expressions", MOST_EXPRESSIONS);
	bind_must(L, stepping_read(stepping, texts, (uint32_t)n, &values, bind_err()));
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		push_value(L, &values[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int stepping_places_(lua_State *L) {
	static const Key keys[] = {KEY_AS(StepPlace, function, "name"), KEYS(StepPlace, file, line, text_line, inlined),
							   KEYS_END};
	uint32_t n;
	const StepPlace *places = stepping_places(check_stepping(L), &n);
	bind_push_list(L, keys, places, n, sizeof *places);
	return 1;
}

/* --- the class ---------------------------------------------------------------------------------------------------- */

static bool stepping_field(lua_State *L, void *data, const char *name) {
	const SteppingBox *box = data;
	if (!box->stepping) return false;
	lua_pushstring(L, stepping_gpu(box->stepping));
	return true;
}

static const luaL_Reg stepping_methods[] = {
	{"go", stepping_go_}, {"read", stepping_read_}, {"places", stepping_places_}, {"close", stepping_gc}, {NULL, NULL}};
const BindClass bind_stepping_class = {.metatable = CLASS_STEPPING,
									   .methods = stepping_methods,
									   .named = (const char *const[]){"gpu", NULL},
									   .release = stepping_gc,
									   .field = stepping_field};
