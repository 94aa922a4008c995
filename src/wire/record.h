/* What is inside a frame, described once: a Record lists the fields of a C structure, and the same list drives writing
 * and reading.
 *
 *     typedef struct { uint64_t bytes; bool mapped; const char *name; } AllocRequest;
 *     RECORD(AllocRequest, FIELDS(AllocRequest, bytes, mapped, name))
 *     record_put(&out, &AllocRequest_record, &request);
 *
 * Reading trusts nothing: lengths, counts, enumerators and flags are checked, and a structure that breaks its rules
 * (`valid`) makes the reader bad. Texts that were read point into what is read, bytes and lists into the arena: all of
 * it is valid until either goes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/values/member.h"
#include "wire/frame.h"

typedef struct Record Record;
typedef struct RecordField RecordField;

typedef struct {
	const uint8_t *at, *end;
	Arena *arena;
	bool bad;                     /* something was missing, too long, or out of range; everything read since is zero */
	const RecordField *long_list; /* one with more entries than its `most`: so many; NULL: none */
	uint32_t entries;
} Reader;

typedef enum {
	KIND_PLAIN, /* by its C type: numbers as they are, flags, text in an array, a pointer to text (NULL stays NULL) */
	KIND_REQUIRED, /* a pointer to text that is not NULL */
	KIND_ENUM,     /* a 4-byte enumerator, at most `most`, or an array of them */
	KIND_BYTES,    /* a pointer to bytes, their number in a size_t at `length` */
	KIND_RECORD,   /* a structure within */
	KIND_LIST,     /* a pointer to structures, at most `most`, their number in a uint32_t at `length` */
	KIND_OTHER     /* by functions of its own */
} FieldKind;

struct RecordField {
	Member member;
	FieldKind kind;
	size_t length;
	uint32_t most;
	const Record *record;
	void (*put)(Str *out, const void *field);
	void (*get)(Reader *r, void *field);
};

struct Record {
	const char *name;
	size_t size;
	const RecordField *fields;
	size_t nfields;
	bool (*valid)(const void *value); /* what the fields alone cannot say; NULL: nothing */
};

#define FIELD(T, F)                                                                                                    \
	{ .member = MEMBER(T, F) }
#define FIELDS(T, ...) EACH_OF(FIELD, T, __VA_ARGS__)
#define FIELD_REQUIRED(T, F)                                                                                           \
	{ .kind = KIND_REQUIRED, .member = MEMBER(T, F) }
#define FIELD_ENUM(T, F, MOST)                                                                                         \
	{ .kind = KIND_ENUM, .member = MEMBER(T, F), .most = (MOST) }
#define FIELD_OF_KIND(K, T, F, ...)                                                                                    \
	{ .kind = K, .member = {#F, MEMBER_OTHER, offsetof(T, F), sizeof(((T *)0)->F)}, __VA_ARGS__ }
/* A structure of nothing but numbers, or an array of such, as it is. */
#define FIELD_RAW(T, F) FIELD_OF_KIND(KIND_PLAIN, T, F, .most = 0)
#define FIELD_BYTES(T, F, LENGTH) FIELD_OF_KIND(KIND_BYTES, T, F, .length = offsetof(T, LENGTH))
#define FIELD_RECORD(T, F, R) FIELD_OF_KIND(KIND_RECORD, T, F, .record = &R##_record)
#define FIELD_LIST(T, F, LENGTH, R, MOST)                                                                              \
	FIELD_OF_KIND(KIND_LIST, T, F, .length = offsetof(T, LENGTH), .record = &R##_record, .most = (MOST))
#define FIELD_OTHER(T, F, PUT, GET) FIELD_OF_KIND(KIND_OTHER, T, F, .put = (PUT), .get = (GET))

/* RECORD(T, fields...) defines T_record; RECORD_VALID the same with a last check. */
#define RECORD_VALID(T, VALID, ...)                                                                                    \
	static const RecordField T##_fields[] = {__VA_ARGS__};                                                             \
	const Record T##_record = {#T, sizeof(T), T##_fields, sizeof T##_fields / sizeof *T##_fields, VALID};
#define RECORD(T, ...) RECORD_VALID(T, NULL, __VA_ARGS__)

/* record NULL: an empty payload. */
void record_put(Str *out, const Record *record, const void *value);
/* Fills *value; the reader reports whether it is valid. */
void record_get(Reader *r, const Record *record, void *value);

Reader reader_of(const Frame *frame, Arena *arena);
bool reader_done(const Reader *r); /* nothing was wrong and nothing is left */

/* For FIELD_OTHER. */
void put_raw(Str *out, const void *data, size_t bytes);
void put_text(Str *out, const char *text);        /* may be NULL */
bool get_raw(Reader *r, void *out, size_t bytes); /* false: the reader is bad, and out is zero */
const char *get_text(Reader *r);                  /* in the frame, terminated; NULL where NULL was put, or bad */

extern const Record Err_record;
