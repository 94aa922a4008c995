/* backend.h over cudart: kernels and launches. Samples are in cuda_sample.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/proc.h"
#include "device/backend/cuda.h"
#include "device/backend/unavailable.h"
#include "gpu/tensor_map.h"

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static bool attributes_of(CudaBackend *c, cudaKernel_t kernel, struct cudaFuncAttributes *out, Err *err) {
	return cuda_ok(c, cudaFuncGetAttributes(out, (const void *)kernel), "querying the kernel", err);
}

bool cuda_kernel_info(Backend *b, const KernelRequest *r, KernelInfo *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	struct cudaFuncAttributes a;
	cudaKernel_t kernel = cuda_find_kernel(c, r->module, r->name, err);
	if (!kernel || !attributes_of(c, kernel, &a, err)) return false;
	*out = (KernelInfo){.registers = (uint32_t)a.numRegs,
						.static_shared = a.sharedSizeBytes,
						.local_bytes = a.localSizeBytes,
						.const_bytes = a.constSizeBytes,
						.max_threads = (uint32_t)a.maxThreadsPerBlock};
	snprintf(out->name, sizeof out->name, "%.127s", r->name);
	return true;
}

/* More than the default needs asking for, kernel by kernel. */
static bool allow_shared(CudaBackend *c, cudaKernel_t kernel, size_t fixed, size_t dynamic, Err *err) {
	if (fixed + dynamic <= c->shared_default) return true;
	return cuda_ok(
		c, cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic),
		"requesting shared memory", err);
}

bool cuda_occupancy(Backend *b, const KernelRequest *r, Occupancy *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const uint32_t threads = r->threads;
	const size_t shared = r->shared;
	struct cudaFuncAttributes a;
	Occupancy known = {.limited_by = ""};
	int blocks = 0, warps_per_sm = 0;
	cudaKernel_t kernel = cuda_find_kernel(c, r->module, r->name, err);
	if (!kernel || !attributes_of(c, kernel, &a, err)) return false;
	if (c->info.gpu &&
		!gpu_occupancy(c->info.gpu, threads, (uint32_t)a.numRegs, a.sharedSizeBytes + shared, &known, err))
		return false;
	if (threads == 0 || threads > c->info.threads_per_block || a.sharedSizeBytes + shared > c->info.shared_per_block)
		return err_set(err, ERR_FAULT, "blocks of %u threads with %zu bytes of shared memory do not fit this GPU",
					   threads, a.sharedSizeBytes + shared);
	if (!allow_shared(c, kernel, a.sharedSizeBytes, shared, err) ||
		!cuda_ok(c, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, (int)threads, shared),
				 "computing the occupancy", err) ||
		!cuda_ok(c, cudaDeviceGetAttribute(&warps_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, c->ordinal),
				 "computing the occupancy", err))
		return false;
	warps_per_sm /= 32;
	out->blocks_per_sm = (uint32_t)blocks;
	out->warps_per_sm = (uint32_t)blocks * ((threads + 31) / 32);
	out->fraction = warps_per_sm ? (double)out->warps_per_sm / warps_per_sm : 0;
	out->limited_by = known.limited_by; /* cudart says how many, not why; the record of this GPU knows */
	return true;
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static bool refuse(LaunchOutcome *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(LaunchOutcome *out, const char *fmt, ...) {
	va_list ap;
	*out = (LaunchOutcome){.status = LAUNCH_LIMIT};
	va_start(ap, fmt);
	vsnprintf(out->message, sizeof out->message, fmt, ap);
	va_end(ap);
	return false;
}

/* Reported before the launch, with both values, rather than after it as "invalid configuration". */
static bool within_limits(const CudaBackend *c, const struct cudaFuncAttributes *a, const LaunchConfig *config,
						  LaunchOutcome *out) {
	const uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
	const size_t shared = a->sharedSizeBytes + config->shared_bytes;
	const char *gpu = c->info.gpu_name;
	for (int i = 0; i < 3; i++) {
		if (config->block[i] > c->max_block[i])
			return refuse(out, "The block has %u threads in %c; the %s allows %u.", config->block[i], 'x' + i, gpu,
						  c->max_block[i]);
		if (config->grid[i] > c->max_grid[i])
			return refuse(out, "The grid has %u blocks in %c; the %s allows %u.", config->grid[i], 'x' + i, gpu,
						  c->max_grid[i]);
		if (config->cluster[i] && config->grid[i] % config->cluster[i])
			return refuse(out, "The grid has %u blocks in %c, which is not a multiple of the clusters' %u.",
						  config->grid[i], 'x' + i, config->cluster[i]);
	}
	if (threads > c->info.threads_per_block)
		return refuse(out, "The launch requests %llu threads per block; the %s allows %u.", (unsigned long long)threads,
					  gpu, c->info.threads_per_block);
	if (threads > (uint64_t)a->maxThreadsPerBlock)
		return refuse(out,
					  "The launch requests %llu threads per block; this kernel allows %d, because of its %d registers "
					  "per thread or its __launch_bounds__.",
					  (unsigned long long)threads, a->maxThreadsPerBlock, a->numRegs);
	if (shared > c->info.shared_per_block)
		return refuse(out,
					  "The launch requests %zu bytes of shared memory per block (%zu declared in the kernel, %zu at "
					  "launch); the %s allows %zu.",
					  shared, a->sharedSizeBytes, config->shared_bytes, gpu, c->info.shared_per_block);
	return true;
}

/* All blocks of a cooperative launch have to fit the GPU at once. */
static bool cooperates(CudaBackend *c, cudaKernel_t kernel, const LaunchConfig *config, LaunchOutcome *out, Err *err) {
	const uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2],
				   blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
	int each = 0;
	if (!cuda_ok(c,
				 cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const void *)kernel, (int)threads,
															   config->shared_bytes),
				 "computing the occupancy", err))
		return false;
	const uint64_t most = (uint64_t)each * c->info.sms;
	if (blocks <= most) return true;
	return refuse(out,
				  "A cooperative launch has all its blocks on the GPU at once: this one has %llu; the %s holds %llu of "
				  "this kernel.",
				  (unsigned long long)blocks, c->info.gpu_name, (unsigned long long)most);
}

/* Asked of every launch; cudart refuses it once a kernel that calls malloc was launched. */
static bool set_heap(CudaBackend *c, size_t bytes, LaunchOutcome *out) {
	size_t have = 0;
	if (!bytes || bytes == c->heap_bytes) return true;
	cudaDeviceGetLimit(&have, cudaLimitMallocHeapSize);
	if (bytes == have) return true;
	const cudaError_t status = cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes);
	if (status == cudaSuccess) {
		c->heap_bytes = bytes;
		return true;
	}
	cudaGetLastError();
	if (status == cudaErrorInvalidValue) return gpu_heap_is_fixed(have, bytes, out);
	return refuse(out, "The heap of malloc cannot have %zu bytes on the %s: %s.", bytes, c->info.gpu_name,
				  cudaGetErrorString(status));
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static FaultKind kind_of(cudaError_t status) {
	switch (status) {
	case cudaErrorIllegalAddress: return FAULT_OUT_OF_BOUNDS;
	case cudaErrorMisalignedAddress: return FAULT_MISALIGNED;
	case cudaErrorInvalidAddressSpace: return FAULT_WRONG_SPACE;
	case cudaErrorHardwareStackError: return FAULT_STACK;
	case cudaErrorAssert: return FAULT_ASSERT;
	case cudaErrorIllegalInstruction:
	case cudaErrorInvalidPc: return FAULT_INSTRUCTION;
	default: return FAULT_UNKNOWN; /* __trap() among others: "unspecified launch failure" */
	}
}

/* assert() of a kernel writes to standard error, once a thread:
 *     FILE:LINE: NAME: block: [x,y,z], thread: [x,y,z] Assertion `TEXT` failed.
 * That is a fact from the GPU, so no replay is needed. */
static void parse_assertion(const char *text, Fault *f) {
	char file[sizeof f->file], what[300];
	uint32_t b[3], t[3], number;
	const char *place = strstr(text, ": block: ["), *line = place;
	if (!place) return;
	while (line > text && line[-1] != '\n') line--;
	if (sscanf(place, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%299[^`\n]", &b[0], &b[1], &b[2], &t[0],
			   &t[1], &t[2], what) != 7 ||
		sscanf(line, "%255[^:]:%u:", file, &number) != 2)
		return;
	memcpy(f->block, b, sizeof b);
	memcpy(f->thread, t, sizeof t);
	f->located = true;
	f->line = number;
	snprintf(f->file, sizeof f->file, "%s", file);
	snprintf(f->message, sizeof f->message, "The assertion `%s` failed.", what);
	f->threads = 0;
	for (const char *at = text; (at = strstr(at, " Assertion `")); at++) f->threads++;
}

static void read_assertion(Fault *f) {
	enum { MOST = 4 << 20 };
	off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
	if (end <= 0) return;
	AUTO_FREE char *text = xcalloc((size_t)(end < MOST ? end : MOST) + 1, 1);
	if (pread(STDERR_FILENO, text, (size_t)(end < MOST ? end : MOST), 0) > 0) parse_assertion(text, f);
}

static void describe_failure(CudaBackend *c, cudaError_t status, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_FAULT, .fault = {.kind = kind_of(status), .threads = 1}};
	snprintf(out->fault.message, sizeof out->fault.message, "The GPU stopped the kernel: %s.",
			 cudaGetErrorString(status));
	c->broken = true;
	if (status == cudaErrorLaunchTimeout) { /* a GPU that also drives a screen */
		out->status = LAUNCH_TIMEOUT;
		snprintf(
			out->message, sizeof out->message,
			"The driver stopped the kernel: this GPU also drives a display, which limits how long a kernel may run.");
		return;
	}
	if (status == cudaErrorAssert) read_assertion(&out->fault);
	snprintf(out->message, sizeof out->message, "%s", out->fault.message);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

void cuda_forward_output(CudaBackend *c) {
	const BackendEvents *to = &c->base.events;
	char piece[4096];
	ssize_t n;
	fflush(stdout);
	off_t end = c->out >= 0 ? lseek(c->out, 0, SEEK_CUR) : 0;
	if (end <= 0) return;
	for (off_t at = 0; at < end && (n = pread(c->out, piece, sizeof piece, at)) > 0; at += n)
		if (to->print) to->print(to->user, piece, (size_t)n);
	if (ftruncate(c->out, 0) == 0) lseek(c->out, 0, SEEK_SET);
}

/* The arguments, and behind them room for tensor maps, which the driver encodes: one block of memory. */
static bool set_args(CudaBackend *c, const BackendLaunch *launch, Prepared *p, Err *err) {
	const size_t list = (launch->nparams + 1) * sizeof *p->args;
	p->args = xcalloc(list + TENSOR_MAP_ALIGN + (size_t)launch->nparams * TENSOR_MAP_BYTES, 1);
	uintptr_t room = ((uintptr_t)p->args + list + TENSOR_MAP_ALIGN - 1) / TENSOR_MAP_ALIGN * TENSOR_MAP_ALIGN;
	for (uint32_t i = 0; i < launch->nparams; i++) {
		const ParamPlace *at = &launch->places[i];
		p->args[i] = (uint8_t *)launch->params + at->offset;
		if (at->size != TENSOR_MAP_BYTES || !tensor_map_is(p->args[i])) continue;
		if (!cuda_tensor_map(c, p->args[i], (void *)room, err)) {
			free(p->args);
			p->args = NULL;
			return false;
		}
		p->args[i] = (void *)room;
		room += TENSOR_MAP_BYTES;
	}
	return true;
}

bool cuda_prepare(CudaBackend *c, const BackendLaunch *launch, Prepared *p, LaunchOutcome *out, Err *err) {
	struct cudaFuncAttributes a;
	*out = (LaunchOutcome){0};
	p->kernel = cuda_find_kernel(c, launch->module, launch->linked_name, err);
	if (!p->kernel || !attributes_of(c, p->kernel, &a, err) || !within_limits(c, &a, &launch->config, out) ||
		!set_heap(c, launch->config.heap_bytes, out) ||
		!allow_shared(c, p->kernel, a.sharedSizeBytes, launch->config.shared_bytes, err))
		return false;
	const uint32_t *g = launch->config.grid, *t = launch->config.block;
	p->config = (cudaLaunchConfig_t){.gridDim = {g[0], g[1], g[2]},
									 .blockDim = {t[0], t[1], t[2]},
									 .dynamicSmemBytes = launch->config.shared_bytes,
									 .stream = c->stream};
	p->cooperative = launch->config.cooperative;
	memcpy(p->cluster, launch->config.cluster, sizeof p->cluster);
	if (p->cooperative && !cooperates(c, p->kernel, &launch->config, out, err)) return false;
	return set_args(c, launch, p, err);
}

cudaError_t cuda_enqueue(const Prepared *p) {
	cudaLaunchAttribute attributes[2];
	cudaLaunchConfig_t config = p->config;
	config.attrs = attributes;
	if (p->cooperative)
		attributes[config.numAttrs++] =
			(cudaLaunchAttribute){.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
	if (p->cluster[0])
		attributes[config.numAttrs++] = (cudaLaunchAttribute){
			.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {p->cluster[0], p->cluster[1], p->cluster[2]}};
	return cudaLaunchKernelExC(&config, (const void *)p->kernel, p->args);
}

/* It stops only with its process. */
static void out_of_gpu_time(CudaBackend *c, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_TIMEOUT};
	c->broken = true;
	snprintf(
		out->message, sizeof out->message,
		"The kernel was still running on the GPU after its limit of %.3g s and was stopped. Does a loop never end? "
		"The launch's timeout=, in ms, or %s allows more.",
		c->limit_s, limit_how(LIMIT_GPU_TIME));
}

/* cudaErrorNotReady: not within the limit. Looked at again after the limit is over: this process may have been asleep
 * while the kernel ended. */
static cudaError_t wait_for_gpu(const CudaBackend *c) {
	enum { AT_ONCE_US = 500, NAP_US = 50 };
	const double begun = seconds_now();
	for (;;) {
		const double waited = seconds_now() - begun;
		const cudaError_t now = cudaStreamQuery(c->stream);
		if (now == cudaSuccess) return cudaStreamSynchronize(c->stream); /* which also hands over what was printed */
		if (now == cudaErrorNotReady) cudaGetLastError();                /* it is no error, but kept like one */
		if (now != cudaErrorNotReady || waited > c->limit_s) return now;
		if (waited * 1e6 > AT_ONCE_US) usleep(NAP_US);
	}
}

bool cuda_conclude(CudaBackend *c, cudaError_t queued, LaunchOutcome *out, Err *err) {
	if (queued == cudaErrorLaunchOutOfResources) {
		cudaGetLastError();
		refuse(out, "The launch needs more registers or shared memory than the %s has for one block.",
			   c->info.gpu_name);
		return true;
	}
	if (queued == cudaErrorInvalidClusterSize) {
		cudaGetLastError();
		refuse(out, "The %s refuses clusters of this size, or the kernel's __cluster_dims__ are others.",
			   c->info.gpu_name);
		return true;
	}
	if (queued != cudaSuccess) return cuda_ok(c, queued, "launching the kernel", err);
	const cudaError_t ended = wait_for_gpu(c);
	if (ended == cudaErrorNotReady)
		out_of_gpu_time(c, out);
	else if (ended != cudaSuccess)
		describe_failure(c, ended, out);
	return true;
}

bool cuda_launch(CudaBackend *c, const BackendLaunch *launch, LaunchOutcome *out, Err *err) {
	Prepared p;
	if (!cuda_prepare(c, launch, &p, out, err)) return out->status == LAUNCH_LIMIT;
	cudaEventRecord(c->start, c->stream);
	cudaError_t queued = cuda_enqueue(&p);
	cudaEventRecord(c->stop, c->stream);
	free(p.args);
	if (!cuda_conclude(c, queued, out, err)) return false;
	float ms = 0;
	if (out->status == LAUNCH_OK && cudaEventElapsedTime(&ms, c->start, c->stop) == cudaSuccess) out->milliseconds = ms;
	cuda_forward_output(c);
	return true;
}
