/* record.h */
#include "wire/record.h"

#include <string.h>

#include "base/err.h"

enum { NO_TEXT = UINT32_MAX };

RECORD(Err, FIELD_ENUM(Err, kind, ERR_INTERRUPTED), FIELDS(Err, what, where, hint))

/* --- pieces ------------------------------------------------------------------------------------------------------- */

void put_raw(Str *out, const void *data, size_t bytes) {
	if (bytes) str_addn(out, data, bytes);
}

static void put_number(Str *out, uint32_t v) {
	put_raw(out, &v, sizeof v);
}

/* With its end, so that it can be read in place. */
void put_text(Str *out, const char *text) {
	const size_t len = text ? strlen(text) : 0;
	put_number(out, text ? (uint32_t)len : NO_TEXT);
	if (text) put_raw(out, text, len + 1);
}

bool get_raw(Reader *r, void *out, size_t bytes) {
	if (r->bad || (size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		if (bytes) memset(out, 0, bytes);
		return false;
	}
	if (bytes) memcpy(out, r->at, bytes);
	r->at += bytes;
	return true;
}

static uint32_t get_number(Reader *r) {
	uint32_t v;
	get_raw(r, &v, sizeof v);
	return v;
}

/* Bytes inside the frame; NULL: they are not there. */
static const uint8_t *get_span(Reader *r, uint64_t bytes) {
	if (r->bad || bytes > (uint64_t)(r->end - r->at)) {
		r->bad = true;
		return NULL;
	}
	const uint8_t *at = r->at;
	r->at += bytes;
	return at;
}

const char *get_text(Reader *r) {
	const uint32_t len = get_number(r);
	if (r->bad || len == NO_TEXT) return NULL;
	const char *text = (const char *)get_span(r, (uint64_t)len + 1);
	if (text && memchr(text, '\0', (size_t)len + 1) == text + len) return text;
	r->bad = true;
	return NULL;
}

static void get_chars(Reader *r, char *out, size_t size) {
	const char *text = get_text(r);
	*out = '\0';
	if (!text || strlen(text) >= size) {
		r->bad = true;
		return;
	}
	memcpy(out, text, strlen(text) + 1);
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

static size_t length_of(const RecordField *f, const uint8_t *value) {
	size_t bytes;
	uint32_t count;
	if (f->kind == KIND_BYTES) {
		memcpy(&bytes, value + f->length, sizeof bytes);
		return bytes;
	}
	memcpy(&count, value + f->length, sizeof count);
	return count;
}

static const void *pointer_at(const uint8_t *field) {
	const void *pointer;
	memcpy(&pointer, field, sizeof pointer);
	return pointer;
}

static void put_plain(Str *out, const Member *m, const uint8_t *field) {
	switch (m->type) {
	case MEMBER_CHARS: put_text(out, (const char *)field); return;
	case MEMBER_TEXT: put_text(out, pointer_at(field)); return;
	default: put_raw(out, field, m->size); return;
	}
}

static void put_field(Str *out, const RecordField *f, const uint8_t *value) {
	const uint8_t *field = value + f->member.offset;
	const uint8_t *list;
	uint64_t bytes;
	switch (f->kind) {
	case KIND_PLAIN:
	case KIND_REQUIRED:
	case KIND_ENUM: put_plain(out, &f->member, field); return;
	case KIND_BYTES:
		bytes = length_of(f, value);
		put_raw(out, &bytes, sizeof bytes);
		put_raw(out, pointer_at(field), bytes);
		return;
	case KIND_RECORD: record_put(out, f->record, field); return;
	case KIND_LIST:
		list = pointer_at(field);
		put_number(out, (uint32_t)length_of(f, value));
		for (size_t i = 0; i < length_of(f, value); i++) record_put(out, f->record, list + i * f->record->size);
		return;
	case KIND_OTHER: f->put(out, field); return;
	}
}

/* A copy, aligned for any type. */
static void get_bytes(Reader *r, const RecordField *f, uint8_t *value) {
	uint64_t bytes;
	uint8_t *data = NULL;
	get_raw(r, &bytes, sizeof bytes);
	const uint8_t *there = get_span(r, bytes);
	const size_t length = there ? (size_t)bytes : 0;
	if (length) data = memcpy(arena_alloc(r->arena, length), there, length);
	memcpy(value + f->member.offset, &data, sizeof data);
	memcpy(value + f->length, &length, sizeof length);
}

/* A record takes at least a byte, so a count the frame cannot hold never takes memory. */
static void get_list(Reader *r, const RecordField *f, uint8_t *value) {
	const uint32_t count = get_number(r);
	uint8_t *list = NULL;
	if (!r->bad && count > f->most) {
		r->long_list = f;
		r->entries = count;
	}
	if (count > f->most || count > (size_t)(r->end - r->at)) r->bad = true;
	const uint32_t n = r->bad ? 0 : count;
	if (n) list = arena_array(r->arena, n, f->record->size);
	for (uint32_t i = 0; i < n && !r->bad; i++) record_get(r, f->record, list + i * f->record->size);
	memcpy(value + f->member.offset, &list, sizeof list);
	memcpy(value + f->length, &n, sizeof n);
}

static void get_flag(Reader *r, uint8_t *field) {
	uint8_t flag = 0;
	get_raw(r, &flag, sizeof flag);
	if (flag > 1) r->bad = true;
	const bool yes = flag == 1;
	memcpy(field, &yes, sizeof yes);
}

static void get_enumerators(Reader *r, const RecordField *f, uint8_t *field) {
	for (size_t i = 0; i < member_count(&f->member); i++) {
		uint32_t v = get_number(r);
		if (v > f->most) r->bad = true;
		if (r->bad) v = 0;
		memcpy(field + i * sizeof v, &v, sizeof v);
	}
}

static void get_pointer_to_text(Reader *r, uint8_t *field) {
	const char *text = get_text(r);
	memcpy(field, &text, sizeof text);
}

static void get_plain(Reader *r, const Member *m, uint8_t *field) {
	switch (m->type) {
	case MEMBER_BOOL: get_flag(r, field); return;
	case MEMBER_CHARS: get_chars(r, (char *)field, m->size); return;
	case MEMBER_TEXT: get_pointer_to_text(r, field); return;
	default: get_raw(r, field, m->size); return;
	}
}

static void get_field(Reader *r, const RecordField *f, uint8_t *value) {
	uint8_t *field = value + f->member.offset;
	switch (f->kind) {
	case KIND_PLAIN: get_plain(r, &f->member, field); return;
	case KIND_REQUIRED:
		get_pointer_to_text(r, field);
		if (!pointer_at(field)) r->bad = true;
		return;
	case KIND_ENUM: get_enumerators(r, f, field); return;
	case KIND_BYTES: get_bytes(r, f, value); return;
	case KIND_RECORD: record_get(r, f->record, field); return;
	case KIND_LIST: get_list(r, f, value); return;
	case KIND_OTHER: f->get(r, field); return;
	}
}

/* --- records ------------------------------------------------------------------------------------------------------ */

void record_put(Str *out, const Record *record, const void *value) {
	for (size_t i = 0; record && i < record->nfields; i++) put_field(out, &record->fields[i], value);
}

void record_get(Reader *r, const Record *record, void *value) {
	if (!record) return;
	memset(value, 0, record->size);
	for (size_t i = 0; i < record->nfields; i++) get_field(r, &record->fields[i], value);
	if (!r->bad && record->valid && !record->valid(value)) r->bad = true;
}

Reader reader_of(const Frame *frame, Arena *arena) {
	static const uint8_t nothing[1];
	const uint8_t *at = frame->data ? frame->data : nothing;
	return (Reader){.at = at, .end = at + (frame->data ? frame->len : 0), .arena = arena};
}

bool reader_done(const Reader *r) {
	return !r->bad && r->at == r->end;
}
