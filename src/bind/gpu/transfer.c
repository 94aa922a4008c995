/* gpu.transfer and gpu.overlap: copies between host and GPU, and pipelines of copies and launches. */
#include "measure/transfer.h"

#include "bind/internal.h"
#include "bind/values/set.h"

/* --- gpu.transfer ------------------------------------------------------------------------------------------------- */

static void push_copy(lua_State *L, const CopyMeasurement *m, const Copy *copy) {
	static const Key keys[] = {KEY_KNOWN(CopyMeasurement, host_write_gbps, "host_write_gbps"),
							   KEY_KNOWN(CopyMeasurement, host_read_gbps, "host_read_gbps"), KEYS_END};
	const double ms = m->times.median_ms;
	bind_push_measurement(L, &m->times);
	bind_set_keys(L, keys, m);
	set_number(L, "gbps", ms > 0 ? (double)copy->bytes / (ms * 1e6) : 0);
	if (m->times.kind == RATE_MEASURED) set_text(L, "clock", m->host_clock ? "host" : "events");
}

static void push_copy_models(lua_State *L, const Copy *copy, const Gpu *const *models, size_t n) {
	static const Key keys[] = {KEYS(Prediction, known, bound, note), KEY_AS(Prediction, milliseconds, "ms"), KEYS_END};
	lua_createtable(L, 0, (int)n);
	for (size_t i = 0; i < n; i++) {
		const Prediction p = predict_copy(models[i], copy);
		bind_push_keys(L, keys, &p);
		lua_setfield(L, -2, models[i]->name);
	}
	bind_set_models(L);
}

typedef struct {
	Copy copy;
	MeasureConfig config;
} TransferOptions;

static const Key transfer_keys[] = {
	KEY_AS(TransferOptions, copy.direction, "direction", .names = copy_direction_names, .flags = NEEDED),
	KEY_AS(TransferOptions, copy.memory, "memory", .names = host_memory_names),
	KEY_AS(TransferOptions, copy.bytes, "bytes", .least = 1, .most = COPY_MOST_BYTES, .flags = NEEDED),
	KEY_AMOUNT(TransferOptions, config.wall_cap_s, "wall"),
	KEY_ALLOWED("models"),
	KEYS_END};

int bind_transfer(lua_State *L) {
	const Gpu *models[BIND_MODELS];
	int arg;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	CopyMeasurement m;
	const DeviceBox *owner = bind_device_arg(L, &arg);
	TransferOptions o = {.copy.memory = HOST_PINNED, .config.lock = bind_lock_mode()};
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_read_keys(L, arg, transfer_keys, &o);
	const size_t nmodels = bind_check_models(L, arg, models);
	Str *output = bind_str(L);
	const bool ok = measure_copy(bind_open(L, owner), &o.copy, &o.config, &m, &outcome, bind_err());
	bind_must_end(L, ok, &outcome, output);
	push_copy(L, &m, &o.copy);
	push_copy_models(L, &o.copy, models, nmodels);
	return 1;
}

/* --- gpu.overlap -------------------------------------------------------------------------------------------------- */

/* options[key](first, count), which has to be a table, is left on the stack. */
static void call_for_chunk(lua_State *L, int arg, const char *key, size_t first, size_t count) {
	if (lua_getfield(L, arg, key) != LUA_TFUNCTION)
		bind_bad(L, arg, "%s: a function of the first element and their number expected, got %s", key,
				 luaL_typename(L, -1));
	lua_pushinteger(L, (lua_Integer)first);
	lua_pushinteger(L, (lua_Integer)count);
	lua_call(L, 2, 1);
	if (!lua_istable(L, -1))
		bind_bad(L, arg, "%s(%lld, %lld) has to return a table, it returned %s", key, (long long)first,
				 (long long)count, luaL_typename(L, -1));
}

/* Pushes the list of launches, one a chunk, as gpu.run takes it. */
static void push_list(lua_State *L, int arg, const BufferBox *input, uint32_t chunks) {
	lua_createtable(L, (int)chunks, 0);
	for (uint32_t i = 0; i < chunks; i++) {
		size_t first, count;
		pipeline_chunk(input->count, chunks, i, &first, &count);
		lua_createtable(L, 0, 3);
		lua_getfield(L, arg, "kernel");
		lua_setfield(L, -2, "kernel");
		call_for_chunk(L, arg, "config", first, count);
		lua_setfield(L, -2, "config");
		call_for_chunk(L, arg, "args", first, count);
		lua_setfield(L, -2, "args");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static BufferBox *check_buffer_field(lua_State *L, int arg, const char *key) {
	lua_getfield(L, arg, key);
	BufferBox *box = bind_test_buffer(L, -1);
	if (!box) bind_bad(L, arg, "%s: a buffer expected, got %s", key, luaL_typename(L, -1));
	if (!box->open || !box->owner->device) bind_bad(L, arg, "%s: the %s is closed", key, bind_buffer_text(L, box));
	lua_pop(L, 1); /* the table keeps it */
	return box;
}

/* Streams and chunks are counted from 1 there. */
static void push_pipeline(lua_State *L, PipelineMeasurement *m, uint32_t chunks) {
	static const Key keys[] = {KEY_NAME(PipelineMeasurement, kind, bind_rate_kinds),
							   KEYS(PipelineMeasurement, known, samples, unlocked, note),
							   KEY_AS(PipelineMeasurement, times.milliseconds, "ms"),
							   KEY_AS(PipelineMeasurement, q1_ms, "q1"),
							   KEY_AS(PipelineMeasurement, q3_ms, "q3"),
							   KEY_KNOWN(PipelineMeasurement, bound, "bound"),
							   KEYS_END};
	static const Key span_keys[] = {KEY_AS(Span, kind, "what", .names = span_kind_names),
									KEYS(Span, stream, chunk, start_ms, end_ms), KEYS_END};
	const uint32_t n = m->known ? 3 * chunks : 0;
	for (uint32_t i = 0; i < n; i++) {
		m->times.spans[i].stream++;
		m->times.spans[i].chunk++;
	}
	bind_push_keys(L, keys, m);
	bind_push_list(L, span_keys, m->times.spans, n, sizeof *m->times.spans);
	lua_setfield(L, -2, "spans");
}

typedef struct {
	Pipeline shape;
	MeasureConfig config;
} OverlapOptions;

static const Key overlap_keys[] = {
	KEY_ALLOWED("kernel"),
	KEY_ALLOWED("config"),
	KEY_ALLOWED("args"),
	KEY_ALLOWED("input"),
	KEY_ALLOWED("output"),
	KEY_AS(OverlapOptions, shape.chunks, "chunks", .least = 1, .most = PIPELINE_CHUNKS),
	KEY_AS(OverlapOptions, shape.streams, "streams", .least = 1, .most = PIPELINE_STREAMS),
	KEY_AS(OverlapOptions, shape.memory, "memory", .names = host_memory_names),
	KEY_AS(OverlapOptions, shape.order, "order", .names = issue_order_names),
	KEY_AMOUNT(OverlapOptions, config.wall_cap_s, "wall"),
	KEY_ALLOWED("models"),
	KEYS_END};

int bind_overlap(lua_State *L) {
	const Gpu *models[BIND_MODELS];
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int arg = bind_first_of_list(L);
	lua_settop(L, arg);
	luaL_checktype(L, arg, LUA_TTABLE);
	OverlapOptions o = {.shape = {4, 2, HOST_PINNED, ISSUE_DEPTH}, .config.lock = bind_lock_mode()};
	bind_read_keys(L, arg, overlap_keys, &o);
	BufferBox *input = check_buffer_field(L, arg, "input"), *output = check_buffer_field(L, arg, "output");
	if (input == output) return bind_bad(L, arg, "input and output have to be two buffers");
	if (input->mapped || output->mapped)
		return bind_bad(L, arg, "%s is already in host memory: there is nothing to copy",
						input->mapped ? "input" : "output");
	if (input->count != output->count)
		return bind_bad(L, arg, "input has %zu elements and output %zu: they must have the same length", input->count,
						output->count);
	if (o.shape.chunks > input->count && lua_getfield(L, arg, "chunks") != LUA_TNIL)
		return bind_bad(L, arg, "chunks: a whole number from 1 to %zu expected, got %u", input->count, o.shape.chunks);
	const uint32_t chunks = o.shape.chunks > input->count ? (uint32_t)input->count : o.shape.chunks;
	o.shape.chunks = chunks;
	const size_t nmodels = bind_check_models(L, arg, models);
	push_list(L, arg, input, chunks);
	lua_pushvalue(L, arg); /* holds the buffers */
	lua_insert(L, -2);
	lua_replace(L, arg); /* so that complaints have the argument's number */
	const ListArg list = bind_check_list(L, arg, NULL);
	if (list.owner != input->owner || list.owner != output->owner)
		return bind_bad(L, arg, "kernel, input and output have to be of one device");
	Launch *launches = lua_newuserdatauv(L, chunks * sizeof *launches, 0);
	for (uint32_t i = 0; i < chunks; i++) launches[i] = list.items[i].launch;
	PipelineMeasurement *m = lua_newuserdatauv(L, (nmodels + 1) * sizeof *m, 0);
	const PipelineJob job = {.shape = o.shape,
							 .launches = launches,
							 .input = input->buffer,
							 .output = output->buffer,
							 .print = list.print,
							 .user = list.output};
	const bool ok =
		measure_pipeline(bind_open(L, list.owner), &job, &o.config, models, nmodels, m, m + 1, &outcome, bind_err());
	bind_must_end(L, ok, &outcome, list.output);
	str_free(list.output);
	push_pipeline(L, m, chunks);
	lua_createtable(L, 0, (int)nmodels);
	for (size_t i = 0; i < nmodels; i++) {
		push_pipeline(L, m + 1 + i, chunks);
		lua_setfield(L, -2, models[i]->name);
	}
	bind_set_models(L);
	return 1;
}
