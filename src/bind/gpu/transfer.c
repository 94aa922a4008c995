/* gpu.transfer and gpu.overlap: copies between host and GPU, and pipelines of copies and launches. */
#include "measure/transfer.h"

#include "bind/internal.h"
#include "bind/values/set.h"

/* --- fields of the table argument --------------------------------------------------------------------------------- */

static lua_Integer check_whole(lua_State *L, int arg, const char *key, lua_Integer most, lua_Integer unless) {
	int whole;
	if (lua_getfield(L, arg, key) == LUA_TNIL && unless > 0) {
		lua_pop(L, 1);
		return unless;
	}
	const lua_Integer v = lua_tointegerx(L, -1, &whole);
	if (lua_type(L, -1) != LUA_TNUMBER || !whole || v < 1 || v > most)
		bind_bad(L, arg, "%s: a whole number from 1 to %lld expected, got %s", key, (long long)most,
				 luaL_tolstring(L, -1, NULL));
	lua_pop(L, 1);
	return v;
}

/* --- gpu.transfer ------------------------------------------------------------------------------------------------- */

static CopyDirection check_direction(lua_State *L, int arg) {
	const char *const names[] = {copy_direction_name(COPY_TO_DEVICE), copy_direction_name(COPY_FROM_DEVICE), NULL};
	return (CopyDirection)bind_check_name(L, arg, "direction", names, -1);
}

static HostMemory check_memory(lua_State *L, int arg) {
	const char *names[HOST_WRITE_COMBINED + 2] = {NULL};
	for (int i = 0; i <= HOST_WRITE_COMBINED; i++) names[i] = host_memory_name((HostMemory)i);
	return (HostMemory)bind_check_name(L, arg, "memory", names, HOST_PINNED);
}

static void push_copy(lua_State *L, const CopyMeasurement *m, const Copy *copy) {
	const Measurement *t = &m->times;
	const bool measured = t->kind == RATE_MEASURED;
	lua_createtable(L, 0, 20);
	set_text(L, "kind", measured ? "measured" : "predicted");
	set_number(L, "ms", t->median_ms);
	set_number(L, "q1", t->q1_ms);
	set_number(L, "q3", t->q3_ms);
	set_number(L, "min", t->min_ms);
	set_number(L, "gbps", t->median_ms > 0 ? (double)copy->bytes / (t->median_ms * 1e6) : 0);
	set_count(L, "samples", t->samples);
	set_count(L, "discarded", 0);
	set_count(L, "batch", 1);
	set_flag(L, "graph", false);
	set_flag(L, "throttled", false);
	set_flag(L, "impossible", false);
	set_flag(L, "unlocked", t->unlocked);
	set_text(L, "note", t->note);
	if (measured) set_text(L, "clock", m->host_clock ? "host" : "events");
	if (m->host_write_gbps > 0) set_number(L, "host_write_gbps", m->host_write_gbps);
	if (m->host_read_gbps > 0) set_number(L, "host_read_gbps", m->host_read_gbps);
	if (measured) return;
	set_text(L, "bound", t->prediction.bound);
	set_flag(L, "known", true);
	set_text(L, "gpu", t->prediction.gpu->name);
}

static void push_copy_models(lua_State *L, const Copy *copy, const Gpu *const *models, size_t n) {
	lua_createtable(L, 0, (int)n);
	for (size_t i = 0; i < n; i++) {
		const Prediction p = predict_copy(models[i], copy);
		lua_createtable(L, 0, 4);
		set_flag(L, "known", true);
		set_number(L, "ms", p.milliseconds);
		set_text(L, "bound", p.bound);
		set_text(L, "note", "");
		lua_setfield(L, -2, models[i]->name);
	}
	lua_setfield(L, -2, "models");
}

int bind_transfer(lua_State *L) {
	static const char *const keys[] = {"direction", "memory", "bytes", "wall", "models", NULL};
	const Gpu *models[BIND_MODELS];
	int arg;
	Err err = ERR_INIT;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	CopyMeasurement m;
	const DeviceBox *owner = bind_device_arg(L, &arg);
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	const Copy copy = {.direction = check_direction(L, arg),
					   .memory = check_memory(L, arg),
					   .bytes = (size_t)check_whole(L, arg, "bytes", COPY_MOST_BYTES, 0)};
	const MeasureConfig config = {.lock = bind_lock_mode(), .wall_cap_s = bind_check_option(L, arg, "wall")};
	const size_t nmodels = bind_check_models(L, arg, models);
	Str *output = bind_str(L);
	if (!measure_copy(bind_open(L, owner), &copy, &config, &m, &outcome, &err))
		bind_raise_outcome(L, &outcome, output, &err);
	push_copy(L, &m, &copy);
	push_copy_models(L, &copy, models, nmodels);
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
	if (!box->open || !box->owner->device) bind_bad(L, arg, "%s: the buffer \"%s\" is closed", key, box->name);
	lua_pop(L, 1); /* the table keeps it */
	return box;
}

static Pipeline check_shape(lua_State *L, int arg, const BufferBox *input) {
	static const char *const orders[] = {"depth", "breadth", NULL};
	const lua_Integer most = input->count < PIPELINE_CHUNKS ? (lua_Integer)input->count : PIPELINE_CHUNKS;
	return (Pipeline){.chunks = (uint32_t)check_whole(L, arg, "chunks", most, most < 4 ? most : 4),
					  .streams = (uint32_t)check_whole(L, arg, "streams", PIPELINE_STREAMS, 2),
					  .memory = check_memory(L, arg),
					  .order = (IssueOrder)bind_check_name(L, arg, "order", orders, ISSUE_DEPTH)};
}

static void push_spans(lua_State *L, const PipelineMeasurement *m, uint32_t chunks) {
	const int n = m->known ? (int)(3 * chunks) : 0;
	lua_createtable(L, n, 0);
	for (int i = 0; i < n; i++) {
		const Span *s = &m->times.spans[i];
		lua_createtable(L, 0, 5);
		set_count(L, "stream", s->stream + 1);
		set_text(L, "what", span_kind_name(s->kind));
		set_count(L, "chunk", s->chunk + 1);
		set_number(L, "start_ms", s->start_ms);
		set_number(L, "end_ms", s->end_ms);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "spans");
}

static void push_pipeline(lua_State *L, const PipelineMeasurement *m, uint32_t chunks) {
	lua_createtable(L, 0, 12);
	set_text(L, "kind", m->kind == RATE_MEASURED ? "measured" : "predicted");
	set_flag(L, "known", m->known);
	set_number(L, "ms", m->times.milliseconds);
	set_number(L, "q1", m->q1_ms);
	set_number(L, "q3", m->q3_ms);
	set_count(L, "samples", m->samples);
	set_flag(L, "unlocked", m->unlocked);
	set_text(L, "note", m->note);
	if (*m->bound) set_text(L, "bound", m->bound);
	push_spans(L, m, chunks);
}

int bind_overlap(lua_State *L) {
	static const char *const keys[] = {"kernel",  "config", "args",  "input", "output", "chunks",
									   "streams", "memory", "order", "wall",  "models", NULL};
	const Gpu *models[BIND_MODELS];
	Err err = ERR_INIT;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int arg = bind_first_of_list(L);
	lua_settop(L, arg);
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	BufferBox *input = check_buffer_field(L, arg, "input"), *output = check_buffer_field(L, arg, "output");
	if (input == output) return bind_bad(L, arg, "input and output have to be two buffers");
	if (input->mapped || output->mapped)
		return bind_bad(L, arg, "%s is already in host memory: there is nothing to copy",
						input->mapped ? "input" : "output");
	if (input->count != output->count)
		return bind_bad(L, arg, "input has %zu elements and output %zu: they must have the same length", input->count,
						output->count);
	const Pipeline shape = check_shape(L, arg, input);
	const MeasureConfig config = {.lock = bind_lock_mode(), .wall_cap_s = bind_check_option(L, arg, "wall")};
	const size_t nmodels = bind_check_models(L, arg, models);
	push_list(L, arg, input, shape.chunks);
	lua_pushvalue(L, arg); /* holds the buffers */
	lua_insert(L, -2);
	lua_replace(L, arg); /* so that complaints have the argument's number */
	const ListArg list = bind_check_list(L, arg, NULL);
	if (list.owner != input->owner || list.owner != output->owner)
		return bind_bad(L, arg, "kernel, input and output have to be of one device");
	Launch *launches = lua_newuserdatauv(L, shape.chunks * sizeof *launches, 0);
	for (uint32_t i = 0; i < shape.chunks; i++) launches[i] = list.items[i].launch;
	PipelineMeasurement *m = lua_newuserdatauv(L, (nmodels + 1) * sizeof *m, 0);
	const PipelineJob job = {.shape = shape,
							 .launches = launches,
							 .input = input->buffer,
							 .output = output->buffer,
							 .print = list.print,
							 .user = list.output};
	if (!measure_pipeline(bind_open(L, list.owner), &job, &config, models, nmodels, m, m + 1, &outcome, &err))
		bind_raise_outcome(L, &outcome, list.output, &err);
	str_free(list.output);
	push_pipeline(L, m, shape.chunks);
	lua_createtable(L, 0, (int)nmodels);
	for (size_t i = 0; i < nmodels; i++) {
		push_pipeline(L, m + 1 + i, shape.chunks);
		lua_setfield(L, -2, models[i]->name);
	}
	lua_setfield(L, -2, "models");
	return 1;
}
