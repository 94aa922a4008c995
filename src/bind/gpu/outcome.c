/* What came of a launch, as a table and as an error. */
#include <stdio.h>

#include "base/text/printable.h"
#include "bind/bind.h"
#include "bind/internal.h"
#include "bind/values/set.h"

enum { MOST_KEPT = 16 << 20 }; /* bytes */

static Results results;
static Str kept; /* what kernels printed since bind_take_printed */

void bind_results(Results to) {
	results = to;
}

static void (*before_printing)(void);

void bind_before_printing(void (*f)(void)) {
	before_printing = f;
}

void bind_print(void *str, const char *text, size_t len) {
	AUTO_STR Str shown = {0};
	str_addn(str, text, len);
	if (results == RESULTS_NOWHERE || !len) return;
	str_add_printable(&shown, text, len);
	if (results == RESULTS_KEPT) {
		if (kept.len < MOST_KEPT) str_addn(&kept, shown.text, shown.len);
		return;
	}
	if (before_printing) before_printing();
	fwrite(shown.text, 1, shown.len, results == RESULTS_STDERR ? stderr : stdout);
}

void bind_take_printed(lua_State *L) {
	lua_pushlstring(L, kept.text ? kept.text : "", kept.len);
	str_free(&kept);
}

static void set_triple(lua_State *L, const char *key, const uint32_t v[3]) {
	static const char *const axes[] = {"x", "y", "z"};
	lua_createtable(L, 3, 3);
	for (int i = 0; i < 3; i++) {
		lua_pushinteger(L, v[i]);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, i + 1);
		lua_setfield(L, -2, axes[i]);
	}
	lua_setfield(L, -2, key);
}

static void push_fault(lua_State *L, const Fault *fault) {
	static const Key keys[] = {KEY_NAME(Fault, kind, fault_kind_names),
							   KEYS(Fault, located, replayed, threads, kernel, space, access, width, message),
							   KEYS_END};
	static const Key place_keys[] = {KEYS(Fault, file, line), KEYS_END};
	bind_push_keys(L, keys, fault);
	if (fault->located) {
		bind_set_keys(L, place_keys, fault);
		set_triple(L, "block", fault->block);
		set_triple(L, "thread", fault->thread);
	}
	if (!*fault->buffer) return;
	set_text(L, "buffer", fault->buffer);
	set_count(L, "offset", fault->offset);
	set_count(L, "bytes", (lua_Integer)fault->buffer_bytes);
	if (fault->elem_bytes) {
		int64_t size = fault->elem_bytes;
		set_count(L, "element", (fault->offset - (fault->offset < 0 ? size - 1 : 0)) / size);
		set_text(L, "type", fault->elem_type);
		set_count(L, "elements", (lua_Integer)(fault->buffer_bytes / fault->elem_bytes));
	}
}

static int outcome_tostring(lua_State *L) {
	luaL_checktype(L, 1, LUA_TTABLE);
	bind_push_function(L, "gpulab.base.outcome", "brief");
	lua_pushvalue(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

void bind_note_emulated(lua_State *L, const DeviceBox *owner) {
	if (owner->device && device_info(owner->device)->can & CAN_EMULATE) set_flag(L, "emulated", true);
}

/* The table on top gets all there is to say about a launch that did not end well, as a text of several lines; "" if it
 * did. Ctrl-C, which a function of Lua would be left by, has little to say. */
static void set_report(lua_State *L, const LaunchOutcome *outcome) {
	if (outcome->status == LAUNCH_OK) {
		set_text(L, "report", "");
	} else if (outcome->status == LAUNCH_INTERRUPTED) {
		lua_pushfstring(L, "%s\n  %s", launch_status_names[outcome->status], outcome->message);
		lua_setfield(L, -2, "report");
	} else {
		bind_push_function(L, "gpulab.base.outcome", "describe");
		lua_pushvalue(L, -2);
		lua_call(L, 1, 1);
		lua_setfield(L, -2, "report");
	}
}

void bind_push_outcome(lua_State *L, const LaunchOutcome *outcome, const Str *output) {
	static const Key keys[] = {KEY_NAME(LaunchOutcome, status, launch_status_names),
							   KEY_AS(LaunchOutcome, milliseconds, "ms"),
							   KEY_KNOWN(LaunchOutcome, shadow_bytes, "shadow_bytes"), KEYS_END};
	bind_push_keys(L, keys, outcome);
	set_text(L, "message", outcome->status == LAUNCH_OK ? "" : outcome->message);
	if (outcome->status == LAUNCH_FAULT) {
		push_fault(L, &outcome->fault);
		lua_setfield(L, -2, "fault");
	}
	set_report(L, outcome);
	lua_pushlstring(L, output->text ? output->text : "", output->len);
	lua_setfield(L, -2, "output");
	if (luaL_newmetatable(L, "gpulab.outcome")) {
		lua_pushcfunction(L, outcome_tostring);
		lua_setfield(L, -2, "__tostring");
	}
	lua_setmetatable(L, -2);
}

/* --- as errors ---------------------------------------------------------------------------------------------------- */

void bind_push_outcome_error(lua_State *L, const LaunchOutcome *outcome, int table) {
	Err err = ERR_INIT;
	table = lua_absindex(L, table);
	launch_error(outcome, &err);
	if (err.kind == ERR_INTERRUPTED) bind_interrupt_heard();
	lua_getfield(L, table, "report");
	bind_push_error(L, err.kind, lua_tostring(L, -1), err.where, "");
	lua_remove(L, -2); /* the report */
	lua_pushvalue(L, table);
	lua_setfield(L, -2, "outcome");
}

void bind_must_end(lua_State *L, bool ok, const LaunchOutcome *outcome, const Str *output) {
	if (ok || outcome->status == LAUNCH_OK) {
		bind_must(L, ok);
		return;
	}
	bind_push_outcome(L, outcome, output);
	bind_push_outcome_error(L, outcome, -1);
	lua_error(L);
}
