/* A structure's members as data: where each is and of what type, taken from its C type. What is written, read or shown
 * member by member is then a list of names (wire/record.h, bind/values/fields.h).
 *
 *     typedef struct { uint32_t line; const char *file; } Place;
 *     static const Member members[] = {EACH_OF(MEMBER, Place, line, file)}; */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	MEMBER_OTHER, /* a structure, a pointer to something: described in other ways */
	MEMBER_BOOL,
	MEMBER_CHARS, /* text in an array of char */
	MEMBER_TEXT,  /* a pointer to text */
	MEMBER_U8,    /* numbers: one, or an array of them; an enumerator is one of 32 bits */
	MEMBER_I32,
	MEMBER_U32,
	MEMBER_I64,
	MEMBER_U64,
	MEMBER_F64
} MemberType;

typedef struct {
	const char *name;
	MemberType type;     /* of an array's elements */
	size_t offset, size; /* size: of all of it */
} Member;

#define MEMBER(T, M)                                                                                                   \
	{ #M, MEMBER_TYPE(((T *)0)->M), offsetof(T, M), sizeof(((T *)0)->M) }

/* An array is here a pointer to its elements, and its address, unlike a pointer's, no pointer to that. Other types do
 * not compile. */
#define MEMBER_TYPE(lvalue)                                                                                            \
	_Generic(&(lvalue),                                                                                                \
		const char **: MEMBER_TEXT,                                                                                    \
		char **: MEMBER_TEXT,                                                                                          \
		bool *: MEMBER_BOOL,                                                                                           \
		uint8_t *: MEMBER_U8,                                                                                          \
		int32_t *: MEMBER_I32,                                                                                         \
		uint32_t *: MEMBER_U32,                                                                                        \
		int64_t *: MEMBER_I64,                                                                                         \
		uint64_t *: MEMBER_U64,                                                                                        \
		double *: MEMBER_F64,                                                                                          \
		default: _Generic((lvalue),                                                                                    \
			char *: MEMBER_CHARS,                                                                                      \
			uint8_t *: MEMBER_U8,                                                                                      \
			int32_t *: MEMBER_I32,                                                                                     \
			uint32_t *: MEMBER_U32,                                                                                    \
			uint64_t *: MEMBER_U64,                                                                                    \
			double *: MEMBER_F64,                                                                                      \
			default: (void)0))

/* WHAT(T, a), WHAT(T, b), ... for up to 64 names. */
#define EACH_OF(WHAT, T, ...) EACH_64(EACH_STEP(WHAT, T, __VA_ARGS__))
#define EACH_64(...) EACH_16(EACH_16(EACH_16(EACH_16(__VA_ARGS__))))
#define EACH_16(...) EACH_4(EACH_4(EACH_4(EACH_4(__VA_ARGS__))))
#define EACH_4(...) EACH_1(EACH_1(EACH_1(EACH_1(__VA_ARGS__))))
#define EACH_1(...) __VA_ARGS__
#define EACH_STEP(WHAT, T, first, ...) WHAT(T, first) __VA_OPT__(, EACH_LATER EACH_NOTHING()()(WHAT, T, __VA_ARGS__))
#define EACH_LATER() EACH_STEP
#define EACH_NOTHING()

/* How many numbers of such a type there are in so many bytes. */
static inline size_t member_count(const Member *m) {
	const size_t bytes = m->type == MEMBER_U8 || m->type == MEMBER_BOOL   ? 1
						 : m->type == MEMBER_I32 || m->type == MEMBER_U32 ? 4
																		  : 8;
	return m->size / bytes;
}

/* A number of a record that is no array. What is stored has to fit. */
static inline double member_number(const Member *m, const void *record) {
	const void *at = (const char *)record + m->offset;
	switch (m->type) {
	case MEMBER_U32: return *(const uint32_t *)at;
	case MEMBER_U64: return (double)*(const uint64_t *)at;
	default: return *(const double *)at;
	}
}
static inline void member_set_number(const Member *m, void *record, double value) {
	void *at = (char *)record + m->offset;
	switch (m->type) {
	case MEMBER_U32: *(uint32_t *)at = (uint32_t)value; break;
	case MEMBER_U64: *(uint64_t *)at = (uint64_t)value; break;
	default: *(double *)at = value;
	}
}
