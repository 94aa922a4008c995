/* gpu.check: a launch on the emulator with checkers attached, and their findings as tables; gpu.orders: one in
 * adversarial orders, whose results are compared. */
#include <stdlib.h>

#include "base/arena.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "emu/check/check.h"

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static unsigned check_one(lua_State *L, int arg, const char *list) {
	Err err = ERR_INIT;
	unsigned flags = 0;
	if (!checks_parse(list, &flags, &err)) bind_bad(L, arg, "%s; %s", err.what, err.hint);
	return flags;
}

/* "race,init", {"race", "init"}, or nothing: all of them. */
static unsigned check_list(lua_State *L, int arg) {
	unsigned flags = 0;
	if (lua_isnoneornil(L, arg)) return CHECK_ALL;
	if (lua_type(L, arg) == LUA_TSTRING) return check_one(L, arg, lua_tostring(L, arg));
	luaL_checktype(L, arg, LUA_TTABLE);
	const lua_Unsigned n = lua_rawlen(L, arg);
	if (n < 1 || n > 16) bind_bad(L, arg, "1 to 16 names of checks expected, got %d", n > 16 ? 17 : (int)n);
	for (int i = 1; i <= (int)n; i++) {
		if (lua_rawgeti(L, arg, i) != LUA_TSTRING)
			bind_bad(L, arg, "[%d]: the name of a check expected, got %s", i, luaL_typename(L, -1));
		flags |= check_one(L, arg, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	return flags;
}

/* Adversarial orders to try besides the ordinary one. */
static uint32_t order_count(lua_State *L, int arg, int least) {
	enum { MOST = 1000 };
	const lua_Integer n = luaL_optinteger(L, arg, least);
	if (n < least || n > MOST) bind_bad(L, arg, "orders: a number from %d to %d expected, got %d", least, MOST, (int)n);
	return (uint32_t)n;
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static void push_site(lua_State *L, const FindingSite *s) {
	static const Key keys[] = {KEY_KNOWN(FindingSite, file, "file"), KEY_KNOWN(FindingSite, line, "line"),
							   KEY_KNOWN(FindingSite, access, "access"), KEYS_END};
	static const Key thread_keys[] = {KEYS(FindingSite, block, thread), KEYS_END};
	bind_push_keys(L, keys, s);
	if (s->known) bind_set_keys(L, thread_keys, s);
}

static int finding_tostring(lua_State *L) {
	luaL_checktype(L, 1, LUA_TTABLE);
	bind_push_function(L, "gpulab.run.checkers", "text");
	lua_pushvalue(L, 1);
	if (lua_pcall(L, 1, 1, 0) != LUA_OK) lua_pushliteral(L, "an issue with other fields than gpu.check gave it");
	return 1;
}

void bind_push_finding(lua_State *L, const Finding *f) {
	static const Key keys[] = {KEY_KNOWN(Finding, message, "message"),
							   KEY_KNOWN(Finding, hint, "hint"),
							   KEY_KNOWN(Finding, space, "space"),
							   KEY_KNOWN(Finding, buffer, "buffer"),
							   KEY_KNOWN(Finding, width, "width"),
							   KEYS(Finding, count),
							   KEYS_END};
	bind_push_keys(L, keys, f);
	set_text(L, "check", check_name(f->check));
	if (f->width) set_count(L, "offset", f->offset);
	if (f->width) set_count(L, "bytes", (lua_Integer)f->buffer_bytes);
	lua_createtable(L, (int)f->nsites, 0);
	for (uint32_t i = 0; i < f->nsites; i++) {
		push_site(L, &f->site[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "sites");
	if (luaL_newmetatable(L, "gpulab.issue")) {
		lua_pushcfunction(L, finding_tostring);
		lua_setfield(L, -2, "__tostring");
	}
	lua_setmetatable(L, -2);
	bind_push_function(L, "gpulab.run.checkers", "name_element");
	lua_pushvalue(L, -2);
	if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1); /* the message stays as it is */
}

/* --- gpu.check ---------------------------------------------------------------------------------------------------- */

BIND_RELEASE(free_answer, answer_free)

static bool is_unused(const Answer *answer, uint32_t item) {
	for (size_t k = 0; k < answer->items[item].nfindings; k++)
		if (answer->items[item].findings[k].check == CHECK_UNUSED) return true;
	return false;
}

/* In a series, a launch may rightly have nothing to do: the last one of an elimination, of a search. */
static bool works_elsewhere(const Answer *answer, const ListArg *list, uint32_t item) {
	for (uint32_t i = 0; i < answer->nitems; i++)
		if (i != item && list->kernels[i] == list->kernels[item] && !is_unused(answer, i)) return true;
	return false;
}

/* A launch that never came to run, because one before it went wrong, has found nothing. */
static lua_Integer push_findings(lua_State *L, const Answer *answer, const ListArg *list) {
	lua_Integer found = 0;
	lua_newtable(L);
	for (uint32_t i = 0; i < answer->nitems; i++) {
		for (size_t k = 0; k < answer->items[i].nfindings; k++) {
			const Finding *f = &answer->items[i].findings[k];
			if (f->check == CHECK_UNUSED && works_elsewhere(answer, list, i)) continue;
			bind_push_finding(L, f);
			if (answer->order) set_count(L, "schedule", answer->order);
			if (answer->nitems > 1) set_count(L, "launch", (lua_Integer)i + 1);
			lua_rawseti(L, -2, ++found);
		}
	}
	return found;
}

/* The error of a launch that did not end well, whose outcome and findings are on top of the stack; what was found until
 * then goes along. */
static int raise_with_findings(lua_State *L, const LaunchOutcome *outcome, lua_Integer found) {
	const int findings = lua_gettop(L);
	bind_push_outcome_error(L, outcome, findings - 1);
	if (found) {
		lua_rawgeti(L, findings, 1);
		lua_getfield(L, -1, "check");
		lua_getfield(L, -2, "message");
		lua_pushfstring(L, "Before that, the %s checker found: %s", lua_tostring(L, -2), lua_tostring(L, -1));
		lua_setfield(L, findings + 1, "hint");
		lua_settop(L, findings + 1);
	}
	lua_pushvalue(L, findings);
	lua_setfield(L, findings + 1, "findings");
	return lua_error(L);
}

int bind_check(lua_State *L) {
	const int first = bind_first_of_list(L), checks = bind_after_list(L, first);
	lua_settop(L, checks + 1);
	const unsigned flags = check_list(L, checks);
	const uint32_t orders = order_count(L, checks + 1, 0);
	const ListArg arg = bind_check_list(L, first, NULL);
	const LaunchList list = bind_list(&arg);
	Holder *holder = bind_hold(L, free_answer);
	Answer *answer = holder->data = xcalloc(1, sizeof *answer);
	bind_must(L, device_submit(bind_open(L, arg.owner), &list,
							   &(Ask){.mode = MODE_CHECK, .checks = flags, .orders = orders}, answer, bind_err()));
	const LaunchOutcome outcome = answer->outcome;
	bind_push_outcome(L, &outcome, arg.output);
	const lua_Integer found = push_findings(L, answer, &arg);
	/* A fault that a checker reports is a finding; every other failure is an error, as for a launch. */
	if (outcome.status != LAUNCH_OK && !(outcome.status == LAUNCH_FAULT && found))
		return raise_with_findings(L, &outcome, found);
	lua_setfield(L, -2, "findings");
	str_free(arg.output);
	bind_drop(holder);
	return 1;
}

/* --- gpu.orders --------------------------------------------------------------------------------------------------- */

int bind_orders(lua_State *L) {
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options + 1);
	const uint32_t orders = order_count(L, options, 1);
	const lua_Integer seed = luaL_optinteger(L, options + 1, 1);
	if (seed < 1 || seed > INT32_MAX - orders)
		bind_bad(L, options + 1, "the seed of an order expected, from 1 to %d", INT32_MAX - (int)orders);
	const ListArg arg = bind_check_list(L, first, NULL);
	const LaunchList list = bind_list(&arg);
	Answer answer = {0};
	const Ask ask = {.mode = MODE_RUN, .orders = orders, .first_order = (uint32_t)seed};
	bind_must(L, device_submit(bind_open(L, arg.owner), &list, &ask, &answer, bind_err()));
	const LaunchOutcome outcome = answer.outcome;
	const uint32_t order = answer.order;
	answer_free(&answer);
	bind_push_outcome(L, &outcome, arg.output);
	if (order) set_count(L, "order", order);
	str_free(arg.output);
	return 1;
}
