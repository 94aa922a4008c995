/* transfer.h */
#include "model/transfer.h"

/* --- copies ------------------------------------------------------------------------------------------------------- */

double copy_predict(const Gpu *gpu, CopyDirection direction, HostMemory memory, double bytes) {
	const bool pageable = memory == HOST_PAGEABLE;
	const double gbps = direction == COPY_TO_DEVICE ? (pageable ? gpu->pageable_to_gbps : gpu->to_device_gbps)
													: (pageable ? gpu->pageable_from_gbps : gpu->from_device_gbps);
	return gpu->copy_us * 1e-3 + bytes / (gbps * 1e6);
}

/* --- pipelines ---------------------------------------------------------------------------------------------------- */

/* When each of them is free again, in ms. */
typedef struct {
	double streams[PIPELINE_STREAMS];
	double kernels, copies[2], host;
} Engines;

static double *engine_of(Engines *e, const Gpu *gpu, SpanKind kind) {
	if (kind == SPAN_KERNEL || !gpu->copy_engines) return &e->kernels; /* without one, copies wait for kernels */
	return &e->copies[gpu->copy_engines > 1 && kind == SPAN_OUT];
}

static double later(double a, double b) {
	return a > b ? a : b;
}

/* The driver copies pageable memory piece by piece, and the call returns when that is done: nothing is issued in the
 * meantime. */
static void place(Engines *e, const Gpu *gpu, HostMemory memory, double ms, Span *span) {
	double *engine = engine_of(e, gpu, span->kind), *stream = &e->streams[span->stream];
	span->start_ms = later(later(*engine, *stream), e->host);
	span->end_ms = span->start_ms + ms;
	*engine = *stream = span->end_ms;
	if (memory == HOST_PAGEABLE && span->kind != SPAN_KERNEL) e->host = span->end_ms;
}

double pipeline_predict(const Gpu *gpu, const Pipeline *p, const double *kernel_ms, const size_t *in_bytes,
						const size_t *out_bytes, Span *spans) {
	Engines engines = {0};
	double total = 0;
	pipeline_issue(p, spans);
	for (uint32_t i = 0; i < 3 * p->chunks; i++) {
		const uint32_t chunk = spans[i].chunk;
		double ms = kernel_ms[chunk];
		if (spans[i].kind == SPAN_IN) ms = copy_predict(gpu, COPY_TO_DEVICE, p->memory, (double)in_bytes[chunk]);
		if (spans[i].kind == SPAN_OUT) ms = copy_predict(gpu, COPY_FROM_DEVICE, p->memory, (double)out_bytes[chunk]);
		place(&engines, gpu, p->memory, ms, &spans[i]);
		total = later(total, spans[i].end_ms);
	}
	return total;
}
