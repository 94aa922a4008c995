/* Copies between host and GPU, and pipelines of them: the words that device, model and measuring share. Figures of the
 * link are in gpu.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { COPY_TO_DEVICE, COPY_FROM_DEVICE } CopyDirection;
typedef enum {
	HOST_PAGEABLE,      /* as malloc gives it: the driver copies through pinned memory of its own */
	HOST_PINNED,        /* pinned (page-locked): the GPU fetches and stores by itself, and asynchronously */
	HOST_WRITE_COMBINED /* pinned, and not in the host's caches */
} HostMemory;

/* A pipeline: `chunks` pieces of work, each copied in, worked on, copied out, dealt out to `streams` streams in turn.
 *
 *     depth first      in 0  kernel 0  out 0  in 1  kernel 1  out 1 ...
 *     breadth first    in 0  in 1  kernel 0  kernel 1  out 0  out 1 ...  (as many at a time as there are streams)
 *
 * Work of one stream is done in the order it was issued; of two streams, whenever there is room. Where there is one
 * engine for copies it takes them in the order of issue, whatever their stream. */
typedef enum { ISSUE_DEPTH, ISSUE_BREADTH } IssueOrder;

enum { PIPELINE_CHUNKS = 256, PIPELINE_STREAMS = 32 }; /* the most there can be */

typedef struct {
	uint32_t chunks, streams;
	HostMemory memory;
	IssueOrder order;
} Pipeline;

typedef enum { SPAN_IN, SPAN_KERNEL, SPAN_OUT, SPAN_KINDS } SpanKind;
typedef struct {
	SpanKind kind;
	uint32_t chunk, stream;
	double start_ms, end_ms; /* from the beginning of the pipeline */
} Span;

/* The operations in the order of issue: fills kind, chunk and stream of spans[3 * chunks]; times are 0. */
void pipeline_issue(const Pipeline *pipeline, Span *spans);
/* Is there such a pipeline? Numbers from a wire or a person. */
bool pipeline_possible(const Pipeline *pipeline);

/* Elements [first, first + count) of n are chunk i's: pieces of a multiple of 64 elements, as long as there are so
 * many, the last one shorter. chunks <= n. */
void pipeline_chunk(size_t n, uint32_t chunks, uint32_t i, size_t *first, size_t *count);

/* Reading its times from a real GPU, events tell when everything before an operation in its stream was over; a copy may
 * have waited for its engine after that. Moves the start of each copy to the end of the copy before it on the same
 * engine. */
void pipeline_wait_for_engines(Span *spans, uint32_t n, uint32_t copy_engines);

/* By enumerator; NULL at their end. */
extern const char *const copy_direction_names[], *const host_memory_names[], *const span_kind_names[],
																				 *const issue_order_names[];
