/* A C structure and a Lua table, described once: the key that each member has in the table, and the values it may have.
 * The same list makes a table of a structure, and reads a table of options, with its errors.
 *
 *     static const Key options[] = {KEY_WHOLE(Options, columns, 0, INT32_MAX), KEYS(Options, exact), KEYS_END};
 *     Options o = {.columns = 1};             what is not in the table stays as it is
 *     bind_read_keys(L, 3, options, &o);      of the table that is argument 3; nil: nothing is read */
#pragma once

#include <lua.h>

#include "base/values/member.h"

typedef enum {
	ONLY_KNOWN = 1,  /* in a table that is made only if it is not 0, empty or false */
	NEEDED = 2,      /* in a table that is read it has to be there */
	NOT_NEGATIVE = 4 /* a floating-point number that is read */
} KeyFlag;

typedef struct Key Key;
struct Key {
	const char *key;          /* NULL: the list's end */
	Member member;            /* all zeros: the key is allowed, and read by other means */
	unsigned flags;           /* a set of KeyFlag */
	lua_Integer least, most;  /* of a whole number that is read; both 0: what the member can hold */
	const char *const *names; /* of an enumerator; NULL at their end */
	const Key *keys;          /* a list of structures: of one of them */
	bool lanes;               /* an array by lane, from 0: only those in a mask */
	size_t each, count;       /* of a list: the size of one, and where their number is; of lanes: where the mask is */
};

/* The member's name is the key; KEY_... of options, which says what a value may be. */
#define KEY(T, M) KEY_AS(T, M, #M)
#define KEYS(T, ...) EACH_OF(KEY, T, __VA_ARGS__)
#define KEY_WHOLE(T, M, LEAST, MOST) KEY_AS(T, M, #M, .least = (LEAST), .most = (MOST))
#define KEY_AMOUNT(T, M, NAME) KEY_AS(T, M, NAME, .flags = NOT_NEGATIVE)
#define KEY_KNOWN(T, M, NAME, ...) KEY_AS(T, M, NAME, .flags = ONLY_KNOWN, __VA_ARGS__)
#define KEY_IF_KNOWN(T, M) KEY_KNOWN(T, M, #M)
#define KEYS_KNOWN(T, ...) EACH_OF(KEY_IF_KNOWN, T, __VA_ARGS__)
#define KEY_NAME(T, M, NAMES, ...) KEY_AS(T, M, #M, .names = (NAMES), __VA_ARGS__)
/* The same with another key, or with more to say. */
#define KEY_AS(T, M, NAME, ...)                                                                                        \
	{ .key = NAME, .member = MEMBER(T, M), __VA_ARGS__ }
#define KEY_LIST(T, M, N, KEYS_OF_ONE)                                                                                 \
	{                                                                                                                  \
		.key = #M, .member = {#M, MEMBER_OTHER, offsetof(T, M), sizeof(((T *)0)->M)}, .keys = KEYS_OF_ONE,             \
		.each = sizeof *((T *)0)->M, .count = offsetof(T, N)                                                           \
	}
#define KEY_LANES(T, M, MASK)                                                                                          \
	{ .key = "lanes", .member = MEMBER(T, M), .lanes = true, .count = offsetof(T, MASK) }
#define KEY_ALLOWED(NAME)                                                                                              \
	{ .key = NAME }
#define KEYS_END                                                                                                       \
	{ .key = NULL }

/* Numbers, flags, texts; an array of numbers is a list. NaN is nothing. */
void bind_set_keys(lua_State *L, const Key *keys, const void *value);  /* in the table on top of the stack */
void bind_push_keys(lua_State *L, const Key *keys, const void *value); /* a new table */
void bind_push_list(lua_State *L, const Key *keys, const void *values, size_t n, size_t each);
void bind_push_member(lua_State *L, const Key *key, const void *value);

/* Raises for a key that is unknown, with "did you mean", and for a value that does not fit. Texts are the table's. An
 * array of numbers is one number or a list of them, and the others are 1; one of enumerators is a name for all, or a
 * list. */
void bind_read_keys(lua_State *L, int arg, const Key *keys, void *out);
/* The same of a table anywhere on the stack: part of argument arg, where `in` ("item 2: config.") says. */
void bind_read_keys_at(lua_State *L, int table, int arg, const char *in, const Key *keys, void *out);

/* A table of strings at idx, or nil for none, which is part of argument arg as `name` ("" if it is all of it). The list
 * is left on the stack, the strings are the table's; NULL is at its end, behind room for `extra` more. */
const char **bind_check_texts(lua_State *L, int idx, int arg, const char *name, size_t extra, size_t *n);
