/* host_link.h */
#include "gpu/host_link.h"

/* --- the order of issue ------------------------------------------------------------------------------------------- */

bool pipeline_possible(const Pipeline *p) {
	return p->chunks >= 1 && p->chunks <= PIPELINE_CHUNKS && p->streams >= 1 && p->streams <= PIPELINE_STREAMS &&
		   p->memory >= HOST_PAGEABLE && p->memory <= HOST_WRITE_COMBINED &&
		   (p->order == ISSUE_DEPTH || p->order == ISSUE_BREADTH);
}

static Span operation(const Pipeline *p, SpanKind kind, uint32_t chunk) {
	return (Span){.kind = kind, .chunk = chunk, .stream = chunk % p->streams};
}

void pipeline_issue(const Pipeline *p, Span *spans) {
	const uint32_t at_once = p->order == ISSUE_DEPTH ? 1 : p->streams;
	for (uint32_t first = 0, n = 0; first < p->chunks; first += at_once) {
		const uint32_t left = p->chunks - first, many = left < at_once ? left : at_once;
		for (SpanKind kind = SPAN_IN; kind < SPAN_KINDS; kind++)
			for (uint32_t i = 0; i < many; i++) spans[n++] = operation(p, kind, first + i);
	}
}

void pipeline_chunk(size_t n, uint32_t chunks, uint32_t i, size_t *first, size_t *count) {
	enum { GRAIN = 64 };
	const size_t grain = n / chunks >= GRAIN ? GRAIN : 1, units = (n + grain - 1) / grain;
	const size_t from = units * i / chunks * grain, to = i + 1 == chunks ? n : units * (i + 1) / chunks * grain;
	*first = from;
	*count = to - from;
}

/* --- times -------------------------------------------------------------------------------------------------------- */

void pipeline_wait_for_engines(Span *spans, uint32_t n, uint32_t copy_engines) {
	double free_at[2] = {0, 0}; /* by engine */
	for (uint32_t i = 0; i < n; i++) {
		if (spans[i].kind == SPAN_KERNEL) continue;
		double *engine = &free_at[copy_engines > 1 && spans[i].kind == SPAN_OUT];
		if (spans[i].start_ms < *engine) spans[i].start_ms = *engine < spans[i].end_ms ? *engine : spans[i].end_ms;
		if (spans[i].end_ms > *engine) *engine = spans[i].end_ms;
	}
}

/* --- names -------------------------------------------------------------------------------------------------------- */

const char *const copy_direction_names[] = {"to device", "from device", NULL};
const char *const host_memory_names[] = {"pageable", "pinned", "write-combined", NULL};
const char *const span_kind_names[] = {"to device", "kernel", "from device", NULL};
const char *const issue_order_names[] = {"depth", "breadth", NULL};
