/* Every message of a device's worker, by the table of messages.h: what is sent arrives, what is hostile is refused and
 * does no harm. The samples are made field by field from the records themselves, so that a new message is tested as
 * soon as it is in the table. */
#include "device_test.h"

#include <stdio.h>

#include "device/backend/messages.h"

/* --- samples ------------------------------------------------------------------------------------------------------ */

typedef struct {
	Arena *arena;
	uint64_t random;
} Maker;

static void fill(Maker *m, const Record *record, void *value);

static uint8_t *field_at(const void *value, const RecordField *f) {
	return (uint8_t *)value + f->member.offset;
}

static const void *pointer_at(const void *field) {
	const void *pointer;
	memcpy(&pointer, field, sizeof pointer);
	return pointer;
}

static uint32_t count_at(const void *value, const RecordField *f) {
	uint32_t count;
	memcpy(&count, (const uint8_t *)value + f->length, sizeof count);
	return count;
}

/* Read as a double of any size these are numbers from 0 to 2. */
static void fill_bytes(Maker *m, uint8_t *out, size_t n) {
	for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(1 + next_random(&m->random) % 0x3f);
}

static char *make_text(Maker *m, size_t len) {
	char *text = arena_alloc(m->arena, len + 1);
	for (size_t i = 0; i < len; i++) text[i] = (char)('a' + next_random(&m->random) % 26);
	return text;
}

static void fill_plain(Maker *m, const Member *member, uint8_t *field) {
	const char *text;
	switch (member->type) {
	case MEMBER_BOOL: *field = 1; return;
	case MEMBER_CHARS: memcpy(field, make_text(m, member->size - 1), member->size); return;
	case MEMBER_TEXT:
		text = make_text(m, 12);
		memcpy(field, &text, sizeof text);
		return;
	default: fill_bytes(m, field, member->size); return;
	}
}

static void fill_field(Maker *m, const RecordField *f, void *value) {
	enum { ROWS = 2, BYTES = 5 };
	uint8_t *field = field_at(value, f);
	const uint32_t rows = ROWS;
	const size_t bytes = BYTES;
	const void *pointer = NULL;
	switch (f->kind) {
	case KIND_PLAIN:
	case KIND_REQUIRED: fill_plain(m, &f->member, field); return;
	case KIND_ENUM: memcpy(field, &f->most, sizeof f->most); return;
	case KIND_BYTES:
		pointer = make_text(m, bytes);
		memcpy((uint8_t *)value + f->length, &bytes, sizeof bytes);
		break;
	case KIND_RECORD: fill(m, f->record, field); return;
	case KIND_LIST: {
		uint8_t *list = arena_array(m->arena, rows, f->record->size);
		for (uint32_t i = 0; i < rows; i++) fill(m, f->record, list + i * f->record->size);
		pointer = list;
		memcpy((uint8_t *)value + f->length, &rows, sizeof rows);
		break;
	}
	case KIND_OTHER: return; /* by hand, below */
	}
	memcpy(field, &pointer, sizeof pointer);
}

static void fix_open(void *value) {
	((DeviceOpen *)value)->gpu = gpu_default();
}

static void fix_gpu(void *value) {
	*(const Gpu **)value = gpu_default(); /* its only field */
}

static void fix_info(void *value) {
	((DeviceInfo *)value)->gpu = gpu_default();
}

static void fix_occupancy(void *value) {
	((Occupancy *)value)->limited_by = "shared memory";
}

static const TextureDesc a_texture = {.type = ELEM_U8,
									  .channels = 4,
									  .width = 640,
									  .height = 480,
									  .address = {ADDRESS_MIRROR, ADDRESS_BORDER, ADDRESS_CLAMP},
									  .filter = true,
									  .normalized = true,
									  .read_float = true};

static void fix_texture(void *value) {
	*(TextureDesc *)value = a_texture;
}

static void fix_place(void *value) {
	*(ParamPlace *)value = (ParamPlace){1, 4};
}

static void fix_submission(void *value) {
	Submission *s = value;
	((BackendItem *)s->items)[0].call.routine = LIBRARY_NONE;
}

static void fix_ask(void *value) {
	Ask *ask = value;
	ask->rules = gpu_default();
	ask->checks = CHECK_ALL;
	ask->sampling.count = 3;
}

static void fix_prediction(void *value) {
	((Prediction *)value)->npartitions = 8;
}

static void fix_finding(void *value) {
	Finding *f = value;
	f->check = CHECK_UNUSED;
	f->nsites = 2;
}

static void fix_copy(void *value) {
	CopyRequest *c = value;
	c->copy.bytes = COPY_MOST_BYTES;
	c->count = COPY_SAMPLES;
}

static void fix_shape(void *value) {
	Pipeline *p = value;
	p->chunks = p->streams = 2;
}

static void fix_chunk(void *value) {
	PipelineChunk *c = value;
	c->in_first = c->out_first = 64;
	c->in_bytes = c->out_bytes = 32;
}

static void fix_put(void *value) {
	Put *p = value;
	p->bytes = p->data_bytes;
}

static void fix_elements(void *value) {
	((DefineElements *)value)->count = 1000;
}

static void fix_times(void *value) {
	PipelineTimes *t = value;
	memset(t->spans, 0, sizeof t->spans);
	pipeline_issue(&(Pipeline){.chunks = 256, .streams = 32, .memory = HOST_PINNED}, t->spans);
	t->spans[5].end_ms = 7;
}

/* Where not every number will do. */
static const struct {
	const char *record;
	void (*fix)(void *value);
} fixes[] = {{"DeviceOpen", fix_open},
			 {"GpuRef", fix_gpu},
			 {"DeviceInfo", fix_info},
			 {"Occupancy", fix_occupancy},
			 {"TextureDesc", fix_texture},
			 {"ParamPlace", fix_place},
			 {"Ask", fix_ask},
			 {"Submission", fix_submission},
			 {"Prediction", fix_prediction},
			 {"Finding", fix_finding},
			 {"CopyRequest", fix_copy},
			 {"Pipeline", fix_shape},
			 {"PipelineChunk", fix_chunk},
			 {"Put", fix_put},
			 {"DefineElements", fix_elements},
			 {"PipelineTimes", fix_times}};

static void fill(Maker *m, const Record *record, void *value) {
	for (size_t i = 0; i < record->nfields; i++) fill_field(m, &record->fields[i], value);
	for (size_t i = 0; i < sizeof fixes / sizeof *fixes; i++)
		if (strcmp(fixes[i].record, record->name) == 0) fixes[i].fix(value);
}

/* --- to and fro --------------------------------------------------------------------------------------------------- */

typedef struct {
	const Record *record;
	Maker maker;
	void *value;
	Str bytes; /* as it is sent */
} Sent;

static Sent sample_of(const Record *record) {
	Sent s = {.record = record, .maker = {.arena = arena_new(), .random = 88172645463325252u}};
	s.value = arena_alloc(s.maker.arena, record->size);
	fill(&s.maker, record, s.value);
	record_put(&s.bytes, record, s.value);
	return s;
}

static void sample_free(Sent *s) {
	arena_free(s->maker.arena);
	str_free(&s->bytes);
}

/* Sends the value once more, as it is now. */
static void send_again(Sent *s) {
	str_clear(&s->bytes);
	record_put(&s->bytes, s->record, s->value);
}

/* In memory of its own and no larger, so that a read past the end is one. */
static uint8_t *exactly(const char *data, size_t len) {
	uint8_t *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	if (len) memcpy(copy, data, len);
	return copy;
}

/* NULL: refused. What it points to is in the bytes and the arena. */
static void *arrives(const Record *record, const uint8_t *data, size_t len, Arena *arena) {
	const Frame frame = {.data = (uint8_t *)data, .len = len};
	Reader r = reader_of(&frame, arena);
	void *value = arena_alloc(arena, record->size);
	record_get(&r, record, value);
	return reader_done(&r) ? value : NULL;
}

static bool is_accepted(const Record *record, const char *data, size_t len) {
	uint8_t *copy = exactly(data, len);
	Arena *arena = arena_new();
	const bool ok = arrives(record, copy, len, arena) != NULL;
	arena_free(arena);
	free(copy);
	return ok;
}

static bool accepted(Sent *s) {
	send_again(s);
	return is_accepted(s->record, s->bytes.text, s->bytes.len);
}

typedef void (*Test)(Sent *sample);

static void each_record(Test test) {
	for (int i = 0; i < MESSAGES; i++) {
		const Record *const both[] = {messages[i].request, messages[i].answer};
		for (int k = 0; k < 2; k++) {
			Sent s = sample_of(both[k]);
			if (!is_accepted(s.record, s.bytes.text, s.bytes.len)) fail_msg("the sample of %s", s.record->name);
			test(&s);
			sample_free(&s);
		}
	}
}

/* --- what is sent arrives ----------------------------------------------------------------------------------------- */

static void assert_same(const Record *record, const void *a, const void *b);

static void assert_same_plain(const Member *member, const uint8_t *x, const uint8_t *y) {
	switch (member->type) {
	case MEMBER_CHARS: assert_string_equal((const char *)x, (const char *)y); return;
	case MEMBER_TEXT: assert_string_equal(pointer_at(x), pointer_at(y)); return;
	default: assert_memory_equal(x, y, member->size); return;
	}
}

static void assert_same_field(const RecordField *f, const void *a, const void *b) {
	const uint8_t *x = field_at(a, f), *y = field_at(b, f);
	size_t bytes;
	Str sent = {0}, got = {0};
	switch (f->kind) {
	case KIND_PLAIN:
	case KIND_REQUIRED:
	case KIND_ENUM: assert_same_plain(&f->member, x, y); return;
	case KIND_BYTES:
		memcpy(&bytes, (const uint8_t *)a + f->length, sizeof bytes);
		assert_memory_equal((const uint8_t *)a + f->length, (const uint8_t *)b + f->length, sizeof bytes);
		assert_memory_equal(pointer_at(x), pointer_at(y), bytes);
		return;
	case KIND_RECORD: assert_same(f->record, x, y); return;
	case KIND_LIST:
		assert_int_equal(count_at(a, f), count_at(b, f));
		for (uint32_t i = 0; i < count_at(a, f); i++)
			assert_same(f->record, (const uint8_t *)pointer_at(x) + i * f->record->size,
						(const uint8_t *)pointer_at(y) + i * f->record->size);
		return;
	case KIND_OTHER:
		f->put(&sent, x);
		f->put(&got, y);
		assert_int_equal(sent.len, got.len);
		assert_memory_equal(sent.text, got.text, sent.len);
		str_free(&sent);
		str_free(&got);
	}
}

static void assert_same(const Record *record, const void *a, const void *b) {
	for (size_t i = 0; i < record->nfields; i++) assert_same_field(&record->fields[i], a, b);
}

static void arrives_whole(Sent *s) {
	Arena *arena = arena_new();
	const void *got = arrives(s->record, (const uint8_t *)s->bytes.text, s->bytes.len, arena);
	assert_non_null(got);
	assert_same(s->record, s->value, got);
	arena_free(arena);
}

static void every_message_arrives(void **state) {
	each_record(arrives_whole);
}

/* Nothing at all arrives, too: lists without rows, texts that are NULL. A record that asks for more says so by refusing
 * it. */
static void nothing_arrives(void **state) {
	Submission s = {.ask.mode = MODE_RUN, .items = &(const BackendItem){.launch = {.linked_name = "k"}}, .nitems = 1};
	Sent sample = sample_of(messages[MESSAGE_submit].answer);
	Report report = {.lives = true};
	sample.value = &report;
	assert_true(accepted(&sample));
	sample.record = messages[MESSAGE_submit].request;
	sample.value = &s;
	assert_false(accepted(&sample)); /* a grid without blocks */
	((BackendItem *)s.items)->launch.config = (LaunchConfig){.grid = {1, 1, 1}, .block = {1, 1, 1}};
	assert_true(accepted(&sample));
	s.nitems = 0;
	assert_false(accepted(&sample));
	sample_free(&sample);
}

/* --- what the records leave out ----------------------------------------------------------------------------------- */

/* Set on purpose by who receives it. */
static const struct {
	const char *record;
	size_t offset;
} not_sent[] = {{"Prediction", offsetof(Prediction, gpu)}};

static bool left_out(const Record *record, size_t offset) {
	for (size_t i = 0; i < sizeof not_sent / sizeof *not_sent; i++)
		if (strcmp(not_sent[i].record, record->name) == 0 && not_sent[i].offset == offset) return true;
	return false;
}

static void mark(uint8_t *described, size_t offset, size_t bytes) {
	memset(described + offset, 1, bytes);
}

/* Of bytes that no field has, at most as many as padding can be: fewer than 8, up to a multiple of 4 or 8. */
static void is_described(Sent *s) {
	const Record *record = s->record;
	uint8_t *described = calloc(record->size + 1, 1);
	for (size_t i = 0; i < record->nfields; i++) {
		const RecordField *f = &record->fields[i];
		mark(described, f->member.offset, f->member.size);
		if (f->kind == KIND_BYTES) mark(described, f->length, sizeof(size_t));
		if (f->kind == KIND_LIST) mark(described, f->length, sizeof(uint32_t));
	}
	for (size_t i = 0; record->nfields && i < record->size;) {
		size_t n = 0;
		while (i + n < record->size && !described[i + n]) n++;
		const size_t end = i + n;
		if (n && !left_out(record, i) && (n >= 8 || end % 4 != 0 || (n >= 4 && end % 8 != 0)))
			fail_msg("%s: nothing describes bytes %zu to %zu", record->name, i, end);
		i = end + 1;
	}
	free(described);
}

static void every_field_is_described(void **state) {
	each_record(is_described);
}

/* --- what is hostile is refused ----------------------------------------------------------------------------------- */

static void is_refused_shorter(Sent *s) {
	const size_t len = s->bytes.len, step = len > 8000 ? len / 1000 : 1;
	for (size_t n = 0; n<len; n += len - n> 64 ? step : 1) assert_false(is_accepted(s->record, s->bytes.text, n));
	str_addn(&s->bytes, "", 1);
	assert_false(is_accepted(s->record, s->bytes.text, s->bytes.len)); /* something is left over */
}

static void every_truncation_is_refused(void **state) {
	each_record(is_refused_shorter);
}

static void assert_sane(const Record *record, const void *value);

static void assert_sane_field(const RecordField *f, const void *value) {
	const uint8_t *field = field_at(value, f);
	uint32_t v;
	switch (f->kind) {
	case KIND_PLAIN:
		if (f->member.type == MEMBER_BOOL) assert_true(*field <= 1);
		if (f->member.type == MEMBER_CHARS) assert_non_null(memchr(field, 0, f->member.size));
		return;
	case KIND_REQUIRED: assert_non_null(pointer_at(field)); return;
	case KIND_ENUM:
		memcpy(&v, field, sizeof v);
		assert_true(v <= f->most);
		return;
	case KIND_RECORD: assert_sane(f->record, field); return;
	case KIND_LIST:
		assert_true(count_at(value, f) <= f->most);
		for (uint32_t i = 0; i < count_at(value, f); i++)
			assert_sane(f->record, (const uint8_t *)pointer_at(field) + i * f->record->size);
		return;
	default: return;
	}
}

static void assert_sane(const Record *record, const void *value) {
	for (size_t i = 0; i < record->nfields; i++) assert_sane_field(&record->fields[i], value);
	assert_true(!record->valid || record->valid(value));
}

static int refused;

/* What is accepted can be sent on: all it points to is there. */
static void takes_no_harm(Sent *s) {
	const size_t len = s->bytes.len;
	for (int round = 0; len && round < 2000; round++) {
		uint8_t *copy = exactly(s->bytes.text, len);
		Arena *arena = arena_new();
		Str again = {0};
		for (int k = 0; k < 1 + round % 4; k++)
			copy[next_random(&s->maker.random) % len] = (uint8_t)next_random(&s->maker.random);
		const void *value = arrives(s->record, copy, len, arena);
		if (value) assert_sane(s->record, value);
		if (value) record_put(&again, s->record, value);
		if (!value) refused++;
		str_free(&again);
		arena_free(arena);
		free(copy);
	}
}

static void changed_bytes_do_no_harm(void **state) {
	refused = 0;
	each_record(takes_no_harm);
	assert_true(refused > 1000);
}

/* Makes the n-th enumerator or flag of the value one that is none. *name: of the record it is in. False: there are not
 * so many. */
static bool spoil(const Record *record, void *value, int *n, const char **name) {
	for (size_t i = 0; i < record->nfields; i++) {
		const RecordField *f = &record->fields[i];
		uint8_t *field = field_at(value, f);
		const uint32_t beyond = f->most + 1;
		if (f->kind == KIND_RECORD && spoil(f->record, field, n, name)) return true;
		if (f->kind == KIND_LIST && spoil(f->record, (void *)pointer_at(field), n, name)) return true;
		const bool flag = f->kind == KIND_PLAIN && f->member.type == MEMBER_BOOL;
		if ((!flag && f->kind != KIND_ENUM) || (*n)--) continue;
		if (flag) *field = 2;
		if (f->kind == KIND_ENUM) memcpy(field, &beyond, sizeof beyond);
		*name = record->name;
		return true;
	}
	return false;
}

static int spoiled;

static void is_refused_spoiled(Sent *s) {
	const char *name = "";
	for (int n = 0;; n++) {
		Sent bad = sample_of(s->record);
		int left = n;
		const bool more = spoil(bad.record, bad.value, &left, &name);
		if (more && accepted(&bad)) fail_msg("%s: field %d, in %s, may be anything", bad.record->name, n, name);
		sample_free(&bad);
		if (!more) return;
		spoiled++;
	}
}

static void enumerators_and_flags_out_of_range_are_refused(void **state) {
	spoiled = 0;
	each_record(is_refused_spoiled);
	assert_true(spoiled > 40);
}

/* A count alone takes no memory: there have to be bytes for as many rows. */
static void a_list_of_more_items_than_bytes_is_refused(void **state) {
	static const uint32_t counts[] = {0, 1, 3, 1000000, UINT32_MAX};
	Sent s = sample_of(messages[MESSAGE_submit].request);
	uint32_t there;
	memcpy(&there, s.bytes.text, sizeof there); /* the items come first */
	assert_int_equal(there, 2);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		memcpy(s.bytes.text, &counts[i], sizeof counts[i]);
		assert_false(is_accepted(s.record, s.bytes.text, s.bytes.len));
	}
	sample_free(&s);
}

/* --- rules of single messages ------------------------------------------------------------------------------------- */

static void parameters_outside_the_block_are_refused(void **state) {
	Sent s = sample_of(messages[MESSAGE_submit].request);
	BackendLaunch *l = &((BackendItem *)((Submission *)s.value)->items)[0].launch;
	ParamPlace *place = (ParamPlace *)l->places;
	*place = (ParamPlace){2, 4};
	assert_false(accepted(&s));
	*place = (ParamPlace){UINT32_MAX, 2};
	assert_false(accepted(&s));
	*place = (ParamPlace){0, 5};
	assert_true(accepted(&s));
	l->config.grid[1] = 0;
	assert_false(accepted(&s));
	l->config.grid[1] = 1;
	l->linked_name = NULL;
	assert_false(accepted(&s));
	sample_free(&s);
}

static bool texture_crosses(TextureDesc desc) {
	Sent s = sample_of(messages[MESSAGE_texture].request);
	((TextureRequest *)s.value)->desc = desc;
	const bool ok = accepted(&s);
	sample_free(&s);
	return ok;
}

static void textures_no_gpu_makes_are_refused(void **state) {
	TextureDesc d = a_texture;
	assert_true(texture_crosses(d));
	d.channels = 3;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.width = 0;
	assert_false(texture_crosses(d));
	d.width = UINT32_MAX;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.type = ELEM_F64;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.normalized = false; /* mirrored */
	assert_false(texture_crosses(d));
	d = (TextureDesc){.surface = true, .type = ELEM_F32, .channels = 1, .width = 8, .height = 8, .depth = 8};
	assert_true(texture_crosses(d));
	d = (TextureDesc){.linear_memory = true, .type = ELEM_F32, .channels = 1, .width = 1 << 28, .address = {1, 1, 1}};
	assert_true(texture_crosses(d));
	d.height = 2;
	assert_false(texture_crosses(d));
	d = (TextureDesc){.cube = true, .type = ELEM_F32, .channels = 1, .width = 8, .height = 8, .layers = 2};
	assert_true(texture_crosses(d));
	d.layers = UINT32_C(1) << 31; /* whose faces are 0 in 32 bits */
	assert_false(texture_crosses(d));
	d.layers = 0;
	d.depth = 6;
	assert_false(texture_crosses(d));
	d = (TextureDesc){.seamless = true, .type = ELEM_F32, .channels = 1, .width = 8, .height = 8, .address = {1, 1, 1}};
	assert_false(texture_crosses(d));
}

static void library_calls_outside_their_buffers_are_refused(void **state) {
	Sent s = sample_of(messages[MESSAGE_submit].request);
	BackendCall *call = &((BackendItem *)((Submission *)s.value)->items)[1].call;
	*call = (BackendCall){.routine = LIBRARY_SGEAM, .extents = {8, 4}, .bytes = 128};
	assert_true(accepted(&s));
	call->bytes = 127;
	assert_false(accepted(&s));
	call->bytes = UINT64_MAX;
	call->extents[0] = UINT64_C(1) << 31;
	assert_false(accepted(&s));
	call->extents[0] = 0;
	assert_false(accepted(&s));
	call->routine = LIBRARY_ROUTINES;
	assert_false(accepted(&s));
	call->routine = LIBRARY_MEMCPY;
	assert_true(accepted(&s));
	sample_free(&s);
}

static void questions_that_make_no_sense_are_refused(void **state) {
	Sent s = sample_of(messages[MESSAGE_submit].request);
	Submission *q = s.value;
	const Submission good = *q;
	q->ask.checks = CHECK_ALL + 1;
	assert_false(accepted(&s));
	*q = good;
	q->ask.mode = MODE_COUNT;
	assert_true(accepted(&s));
	q->ask.rules = NULL; /* by whose rules? */
	assert_false(accepted(&s));
	*q = good;
	((const Gpu **)q->ask.models)[1] = NULL;
	assert_false(accepted(&s));
	((const Gpu **)q->ask.models)[1] = gpu_default();
	q->ask.mode = MODE_TIME;
	assert_true(accepted(&s));
	q->ask.sampling.count = 0;
	assert_false(accepted(&s));
	q->ask.sampling.count = UINT32_MAX;
	assert_false(accepted(&s));
	sample_free(&s);
}

static void findings_and_predictions_keep_their_rules(void **state) {
	Sent s = sample_of(messages[MESSAGE_submit].answer);
	ItemAnswer *item = &((Report *)s.value)->items[1];
	item->findings[1].check = CHECK_RACE | CHECK_INIT;
	assert_false(accepted(&s));
	item->findings[1].check = 0;
	assert_false(accepted(&s));
	item->findings[1].check = CHECK_RACE;
	assert_true(accepted(&s));
	item->findings[0].nsites = 3;
	assert_false(accepted(&s));
	item->findings[0].nsites = 0;
	item->predictions[1].npartitions = 9;
	assert_false(accepted(&s));
	sample_free(&s);
}

static void copies_that_cannot_be_are_refused(void **state) {
	static const double times[] = {-1, 0.0 / 0.0, 1.0 / 0.0};
	Sent s = sample_of(messages[MESSAGE_copy].request);
	CopyRequest *c = s.value;
	c->copy.bytes = 0;
	assert_false(accepted(&s));
	c->copy.bytes = (size_t)COPY_MOST_BYTES + 1;
	assert_false(accepted(&s));
	c->copy.bytes = 8;
	c->count = COPY_SAMPLES + 1;
	assert_false(accepted(&s));
	c->count = 1;
	assert_true(accepted(&s));
	sample_free(&s);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		s = sample_of(messages[MESSAGE_copy].answer);
		((CopyTimes *)s.value)->milliseconds[1] = times[i];
		assert_false(accepted(&s));
		sample_free(&s);
		s = sample_of(messages[MESSAGE_pipeline].answer);
		((PipelineReport *)s.value)->times.spans[2].end_ms = times[i];
		assert_false(accepted(&s));
		sample_free(&s);
	}
}

static void pipelines_outside_their_buffers_are_refused(void **state) {
	Sent s = sample_of(messages[MESSAGE_pipeline].request);
	BackendPipeline *p = s.value;
	PipelineChunk *chunk = (PipelineChunk *)&p->chunks[1];
	p->input_bytes = 96;
	assert_true(accepted(&s));
	p->input_bytes = 95;
	assert_false(accepted(&s));
	p->input_bytes = 96;
	chunk->out_first = SIZE_MAX;
	assert_false(accepted(&s));
	chunk->out_first = 0;
	chunk->out_bytes = 0;
	assert_false(accepted(&s));
	chunk->out_bytes = 1;
	assert_true(accepted(&s));
	p->shape.chunks = 3; /* and two are there */
	assert_false(accepted(&s));
	p->shape.chunks = 2;
	chunk->launch.config.block[2] = 0;
	assert_false(accepted(&s));
	sample_free(&s);
	s = sample_of(messages[MESSAGE_pipeline].answer);
	Span *span = &((PipelineReport *)s.value)->times.spans[2];
	span->chunk = PIPELINE_CHUNKS;
	assert_false(accepted(&s));
	span->chunk = 0;
	span->kind = SPAN_KINDS;
	assert_false(accepted(&s));
	sample_free(&s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_arrives),
		cmocka_unit_test(nothing_arrives),
		cmocka_unit_test(every_field_is_described),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(changed_bytes_do_no_harm),
		cmocka_unit_test(enumerators_and_flags_out_of_range_are_refused),
		cmocka_unit_test(a_list_of_more_items_than_bytes_is_refused),
		cmocka_unit_test(parameters_outside_the_block_are_refused),
		cmocka_unit_test(textures_no_gpu_makes_are_refused),
		cmocka_unit_test(library_calls_outside_their_buffers_are_refused),
		cmocka_unit_test(questions_that_make_no_sense_are_refused),
		cmocka_unit_test(findings_and_predictions_keep_their_rules),
		cmocka_unit_test(copies_that_cannot_be_are_refused),
		cmocka_unit_test(pipelines_outside_their_buffers_are_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
