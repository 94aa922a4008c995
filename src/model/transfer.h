/* Predicts copies between host and GPU, pipelines of copies and kernels, and kernels that read or write mapped host
 * memory, from the link's data (gpu.h).
 *
 *   copy       copy_us and the bytes at the link's attained rate, pageable or pinned
 *   pipeline   each operation begins when those before it in its stream, on its engine and, where the host takes part,
 *              on the host are over. Engines: one for kernels; none, one or two for copies (gpu/host_link.h)
 *   mapped     what a warp reads or writes in host memory goes over the link in requests of at most 128 bytes, again
 *              for every block: none of it is taken to stay in L2 (CUDA best practices guide, "zero copy": not
 *              cached, so to be read once), only in a block's share of L1 where there is one. Reading takes the longer
 *              of two: the bytes with their packets' headers, and the requests at the rate the GPU gets answers */
#pragma once

#include "gpu/gpu.h"
#include "gpu/host_link.h"
#include "model/model.h"

double copy_predict(const Gpu *gpu, CopyDirection direction, HostMemory memory, double bytes); /* ms */

/* Fills spans[3 * chunks], in the order of issue; returns the time of it all in ms. What the arrays hold is for each
 * chunk. */
double pipeline_predict(const Gpu *gpu, const Pipeline *pipeline, const double *kernel_ms, const size_t *in_bytes,
						const size_t *out_bytes, Span *spans);
