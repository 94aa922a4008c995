/* Copies between host and GPU, timed; pipelines of copies and launches; host memory that kernels read and write
 * themselves. Times are a GPU's only: the emulator has no link to time, and refuses (model/transfer.h predicts one). */
#pragma once

#include "device/device.h"

/* Fills milliseconds[count]: copies by themselves, between host memory and GPU memory that are there for it. */
bool device_copy(Device *device, const Copy *copy, uint32_t count, CopyTimes *out, Err *err);

/* A launch a chunk, each for its elements (pipeline_chunk) of input and output, two buffers of the same length. */
typedef struct {
	Pipeline shape;
	const Launch *launches; /* [shape.chunks] */
	Buffer input, output;
	void (*print)(void *user, const char *text, size_t len); /* as a LaunchList's */
	void *user;
} PipelineJob;

/* The input's content goes to host memory first and is wiped on the GPU, so that a kernel has no data but what the
 * pipeline copied in before it. Afterwards the output holds what was copied out, back on the GPU. Kernels read nothing
 * of the output. One that breaks off leaves the input as it was, and the output stale if it had begun. */
bool device_pipeline(Device *device, const PipelineJob *job, PipelineTimes *out, LaunchOutcome *outcome, Err *err);

/* As device_buffer, in pinned host memory that kernels read and write over the link. ERR_SETUP: not on this GPU. */
bool device_buffer_mapped(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out,
						  Err *err);
