/* wire.h: copies and pipelines inside the frames. */
#include <stdlib.h>

#include "base/arena.h"
#include "device/wire.h"

void put_copy(Str *s, const Copy *copy, uint32_t count) {
	put_u32(s, copy->direction);
	put_u32(s, copy->memory);
	put_u64(s, copy->bytes);
	put_u32(s, count);
}

void get_copy(Reader *r, Copy *copy, uint32_t *count) {
	copy->direction = (CopyDirection)get_at_most(r, COPY_FROM_DEVICE);
	copy->memory = (HostMemory)get_at_most(r, HOST_WRITE_COMBINED);
	copy->bytes = get_u64(r);
	*count = get_at_most(r, COPY_SAMPLES);
	if (!copy->bytes || copy->bytes > COPY_MOST_BYTES || !*count) r->bad = true;
}

void put_copy_times(Str *s, const CopyTimes *times, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) put_f64(s, times->milliseconds[i]);
	put_u8(s, times->host_clock);
	put_f64(s, times->host_write_ms);
	put_f64(s, times->host_read_ms);
	put_u64(s, times->host_bytes);
}

/* A time is a number, and not below zero. */
static double get_time(Reader *r) {
	const double ms = get_f64(r);
	if (ms >= 0 && ms < 1e12) return ms;
	r->bad = true;
	return 0;
}

void get_copy_times(Reader *r, CopyTimes *times, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) times->milliseconds[i] = get_time(r);
	times->host_clock = get_bool(r);
	times->host_write_ms = get_time(r);
	times->host_read_ms = get_time(r);
	times->host_bytes = get_u64(r);
}

/* --- pipelines ----------------------------------------------------------------------------------------------------------- */

static void put_shape(Str *s, const Pipeline *shape) {
	put_u32(s, shape->chunks);
	put_u32(s, shape->streams);
	put_u32(s, shape->memory);
	put_u32(s, shape->order);
}

static void get_shape(Reader *r, Pipeline *shape) {
	shape->chunks = get_u32(r);
	shape->streams = get_u32(r);
	shape->memory = (HostMemory)get_at_most(r, HOST_WRITE_COMBINED);
	shape->order = (IssueOrder)get_at_most(r, ISSUE_BREADTH);
	if (!pipeline_possible(shape)) r->bad = true;
}

void put_pipeline(Str *s, const BackendPipeline *p) {
	put_shape(s, &p->shape);
	put_u64(s, p->input);
	put_u64(s, p->output);
	put_u64(s, p->input_bytes);
	put_u64(s, p->output_bytes);
	for (uint32_t i = 0; i < p->shape.chunks; i++) {
		put_u64(s, p->chunks[i].in_first);
		put_u64(s, p->chunks[i].in_bytes);
		put_u64(s, p->chunks[i].out_first);
		put_u64(s, p->chunks[i].out_bytes);
		put_launch(s, &p->launches[i]);
	}
}

static bool inside(size_t first, size_t bytes, size_t all) {
	return bytes && first <= all && bytes <= all - first;
}

static void get_chunk(Reader *r, const BackendPipeline *p, PipelineChunk *chunk) {
	chunk->in_first = get_u64(r);
	chunk->in_bytes = get_u64(r);
	chunk->out_first = get_u64(r);
	chunk->out_bytes = get_u64(r);
	if (!inside(chunk->in_first, chunk->in_bytes, p->input_bytes) ||
		!inside(chunk->out_first, chunk->out_bytes, p->output_bytes))
		r->bad = true;
}

void get_pipeline(Reader *r, WirePipeline *w) {
	*w = (WirePipeline){0};
	BackendPipeline *p = &w->pipeline;
	get_shape(r, &p->shape);
	p->input = get_u64(r);
	p->output = get_u64(r);
	p->input_bytes = get_u64(r);
	p->output_bytes = get_u64(r);
	if (r->bad) return;
	w->wired = xcalloc(p->shape.chunks, sizeof *w->wired);
	w->launches = xcalloc(p->shape.chunks, sizeof *w->launches);
	w->chunks = xcalloc(p->shape.chunks, sizeof *w->chunks);
	for (uint32_t i = 0; i < p->shape.chunks && !r->bad; i++) {
		get_chunk(r, p, &w->chunks[i]);
		get_launch(r, &w->wired[i]);
		w->launches[i] = w->wired[i].launch;
	}
	p->launches = w->launches;
	p->chunks = w->chunks;
}

void wire_pipeline_free(WirePipeline *w) {
	for (uint32_t i = 0; w->wired && i < w->pipeline.shape.chunks; i++) wire_launch_free(&w->wired[i]);
	free(w->wired);
	free(w->launches);
	free(w->chunks);
}

/* Which operation each span is both ends know. */
void put_pipeline_times(Str *s, const PipelineTimes *times, uint32_t chunks) {
	put_f64(s, times->milliseconds);
	for (uint32_t i = 0; i < 3 * chunks; i++) {
		put_f64(s, times->spans[i].start_ms);
		put_f64(s, times->spans[i].end_ms);
	}
}

void get_pipeline_times(Reader *r, const Pipeline *shape, PipelineTimes *times) {
	times->milliseconds = get_time(r);
	pipeline_issue(shape, times->spans);
	for (uint32_t i = 0; i < 3 * shape->chunks; i++) {
		times->spans[i].start_ms = get_time(r);
		times->spans[i].end_ms = get_time(r);
	}
}
