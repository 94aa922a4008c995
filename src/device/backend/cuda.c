/* backend.h over cudart: the device, its memory, its modules. Launches are in cuda_launch.c. Runs only inside a
 * worker. */
#include "device/backend/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "device/backend/messages.h"
#include "device/backend/unavailable.h"
#include "gpu/partial_gpu.h"

/* --- the device --------------------------------------------------------------------------------------------------- */

static int attribute(const CudaBackend *c, enum cudaDeviceAttr which) {
	int value = 0;
	if (cudaDeviceGetAttribute(&value, which, c->ordinal) != cudaSuccess) value = 0;
	return value < 0 ? 0 : value;
}

/* "580.159.04" from NVML, which comes with the driver; else the CUDA version it serves. */
static void driver_text(char *out, size_t size) {
	int version = 0;
	cudaDriverGetVersion(&version);
	cuda_version_text(version, out, size);
	cuda_nvml_driver(out, size);
}

static void read_limits(CudaBackend *c) {
	static const enum cudaDeviceAttr grid[] = {cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ};
	static const enum cudaDeviceAttr block[] = {cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY,
												cudaDevAttrMaxBlockDimZ};
	for (int i = 0; i < 3; i++) {
		c->max_grid[i] = (uint32_t)attribute(c, grid[i]);
		c->max_block[i] = (uint32_t)attribute(c, block[i]);
	}
	c->shared_default = (size_t)attribute(c, cudaDevAttrMaxSharedMemoryPerBlock);
}

static bool read_info(CudaBackend *c, Err *err) {
	struct cudaDeviceProp prop;
	int devices = 0, runtime = 0;
	if (!cuda_ok(c, cudaGetDeviceProperties(&prop, c->ordinal), "querying the GPU", err)) return false;
	cudaGetDeviceCount(&devices);
	cudaRuntimeGetVersion(&runtime);
	DeviceInfo *info = &c->info;
	snprintf(info->name, sizeof info->name, "cuda:%d", c->ordinal);
	snprintf(info->backend, sizeof info->backend, "cuda");
	snprintf(info->gpu_name, sizeof info->gpu_name, "%.127s", prop.name);
	info->cc = (uint32_t)(prop.major * 10 + prop.minor);
	info->sms = (uint32_t)prop.multiProcessorCount;
	info->l2_bytes = (size_t)prop.l2CacheSize;
	info->memory_bytes = prop.totalGlobalMem;
	info->threads_per_block = (uint32_t)prop.maxThreadsPerBlock;
	info->shared_per_block = (size_t)attribute(c, cudaDevAttrMaxSharedMemoryPerBlockOptin);
	info->shared_per_sm = prop.sharedMemPerMultiprocessor;
	info->clock_ghz = attribute(c, cudaDevAttrClockRate) * 1e-6;
	/* two transfers per cycle on every pin of the bus */
	info->dram_gbps =
		2e3 * attribute(c, cudaDevAttrMemoryClockRate) * (attribute(c, cudaDevAttrGlobalMemoryBusWidth) / 8) * 1e-9;
	info->gpu = gpu_record(prop.name, info->cc, info->sms);
	if (info->gpu && info->gpu->dram_gbps > 0) info->dram_gbps = info->gpu->dram_gbps;
	gpu_share(prop.name, info->sms, getenv("CUDA_MPS_PIPE_DIRECTORY"), info->share, sizeof info->share);
	info->devices = (uint32_t)devices;
	info->can = CAN_TIME | CAN_RUN_SASS;
	if (cudaDeviceGetPCIBusId(info->bus, sizeof info->bus, c->ordinal) != cudaSuccess) *info->bus = '\0';
	driver_text(info->driver, sizeof info->driver);
	cuda_version_text(runtime, info->runtime, sizeof info->runtime);
	read_limits(c);
	return true;
}

static bool cuda_info(Backend *b, DeviceInfo *out, Err *err) {
	*out = ((CudaBackend *)b)->info;
	return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void *pointer(uint64_t addr) {
	return (void *)(uintptr_t)addr;
}

static bool finish(CudaBackend *c, cudaError_t queued, const char *doing, Err *err) {
	return cuda_ok(c, queued, doing, err) && cuda_ok(c, cudaStreamSynchronize(c->stream), doing, err);
}

static bool cuda_alloc(Backend *b, const Alloc *r, Number *addr, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *p = NULL;
	if (r->mapped) return cuda_alloc_mapped(c, r->bytes, r->name, &addr->value, err);
	cudaError_t status = cudaMalloc(&p, r->bytes);
	if (status == cudaErrorMemoryAllocation) {
		size_t left = 0, total = 0;
		cudaGetLastError();
		cudaMemGetInfo(&left, &total);
		err_set(err, ERR_SETUP, "'%s' needs %.1f MB, and the GPU has %.1f MB of %.1f MB left", r->name,
				(double)r->bytes * 1e-6, (double)left * 1e-6, (double)total * 1e-6);
		return err_hint(err, "free buffers, or choose a smaller problem");
	}
	if (!cuda_ok(c, status, "allocating memory", err)) return false;
	addr->value = (uintptr_t)p;
	return true;
}

static bool cuda_free(Backend *b, const Number *addr, Nothing *out, Err *err) {
	bool ok;
	if (cuda_free_mapped((CudaBackend *)b, addr->value, &ok, err)) return ok;
	return cuda_ok((CudaBackend *)b, cudaFree(pointer(addr->value)), "freeing memory", err);
}

static bool cuda_upload(Backend *b, const Upload *r, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *mapped = cuda_mapped(c, r->addr, r->bytes);
	if (mapped) { /* no kernel runs now: every launch was waited for */
		memcpy(mapped, r->data, r->bytes);
		return true;
	}
	return finish(c, cudaMemcpyAsync(pointer(r->addr), r->data, r->bytes, cudaMemcpyHostToDevice, c->stream),
				  "copying to the GPU", err);
}

/* Pinned (page-locked), it is copied at the speed of the link; if pinning fails, more slowly. */
static void cuda_pin(Backend *b, void *memory, size_t bytes) {
	cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
	cudaGetLastError();
}

static bool cuda_download(Backend *b, const Download *r, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const void *mapped = cuda_mapped(c, r->addr, r->bytes);
	if (mapped) {
		memcpy(r->data, mapped, r->bytes);
		return true;
	}
	return finish(c, cudaMemcpyAsync(r->data, pointer(r->addr), r->bytes, cudaMemcpyDeviceToHost, c->stream),
				  "copying from the GPU", err);
}

static bool cuda_fill(Backend *b, const Fill *r, Nothing *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *mapped = cuda_mapped(c, r->addr, r->bytes);
	if (mapped) {
		memset(mapped, r->byte, r->bytes);
		return true;
	}
	return finish(c, cudaMemsetAsync(pointer(r->addr), r->byte, r->bytes, c->stream), "filling memory", err);
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

/* SASS runs only on its own generation, from its own revision on; the driver compiles PTX for any later GPU. */
static bool cubin_runs(const CudaBackend *c, const ModuleCode *m) {
	return m->cubin && m->cubin_bytes && gpu_runs_sass(m->cc, c->info.cc);
}

static bool cuda_load(Backend *b, const ModuleCode *m, Number *module, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const void *code = cubin_runs(c, m) ? m->cubin : m->ptx;
	cudaLibrary_t library = NULL;
	if (!code) return err_set(err, ERR_USAGE, "the module has neither SASS for this GPU nor PTX");
	if (!cuda_ok(c, cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0), "loading the module", err))
		return false;
	vec_push(&c->libraries, library);
	module->value = c->libraries.len;
	return true;
}

static bool cuda_unload(Backend *b, const Number *number, Nothing *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	cudaLibrary_t *at = cuda_module(c, number->value, err), library = at ? *at : NULL;
	if (!at) return false;
	*at = NULL;
	return cuda_ok(c, cudaLibraryUnload(library), "unloading the module", err);
}

/* Constant variables, too, have an address that copies take. */
static bool cuda_symbol(Backend *b, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *at = NULL;
	size_t size = 0;
	const cudaLibrary_t *library = cuda_module(c, r->module, err);
	if (!library) return false;
	const cudaError_t status = cudaLibraryGetGlobal(&at, &size, *library, r->name);
	if (status == cudaErrorSymbolNotFound || status == cudaErrorInvalidSymbol) {
		cudaGetLastError();
		return err_set(err, ERR_SETUP, "the driver does not find the variable \"%s\" in the module", r->name);
	}
	if (!cuda_ok(c, status, "looking for a variable", err)) return false;
	*out = (SymbolPlace){(uintptr_t)at, size};
	return true;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static bool run_items(CudaBackend *c, const Submission *s, LaunchOutcome *out, Err *err) {
	double milliseconds = 0;
	for (uint32_t i = 0; i < s->nitems && out->status == LAUNCH_OK; i++) {
		const BackendItem *item = &s->items[i];
		c->limit_s = item_seconds(item);
		if (item->call.routine == LIBRARY_NONE ? !cuda_launch(c, &item->launch, out, err)
											   : !cuda_library(c, &item->call, out, err))
			return false;
		milliseconds += out->milliseconds;
	}
	out->milliseconds = milliseconds;
	return true;
}

static bool cuda_submit(Backend *b, const Submission *s, Report *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	bool ok;
	*out = (Report){0};
	c->limit_s = submission_seconds(s);
	if (s->ask.mode == MODE_TIME) {
		out->samples = arena_array(b->arena, s->ask.sampling.count, sizeof *out->samples);
		out->nsamples = s->ask.sampling.count;
		ok = cuda_sample(c, s, out->samples, &out->outcome, err);
	} else if (s->ask.mode == MODE_RUN) {
		ok = run_items(c, s, &out->outcome, err);
	} else {
		ok = err_set(err, ERR_USAGE, "a GPU runs kernels, and does not emulate them");
	}
	out->lives = !c->broken;
	return ok;
}

/* --- open, close -------------------------------------------------------------------------------------------------- */

static bool cuda_alive(Backend *b) {
	return !((CudaBackend *)b)->broken;
}

/* The process ends next, and the driver frees what it held faster than we could. */
static void cuda_close(Backend *b) {
	CudaBackend *c = (CudaBackend *)b;
	vec_free(&c->libraries);
	for (size_t i = 0; i < c->textures.len; i++) free(c->textures.data[i]);
	vec_free(&c->textures);
	vec_free(&c->mapped);
	cuda_sampler_free(c->sampler);
	cuda_library_free(c->library);
	cuda_copier_free(c->copier);
	if (c->out >= 0) close(c->out);
	free(c);
}

static const BackendOps cuda_ops = {.name = "cuda",
									BACKEND_OPS(cuda, close, info, alloc, free, upload, download, pin, fill, texture,
												texture_free, texture_copy, load, unload, symbol, kernel_info,
												occupancy, submit, has_library, copy, pipeline, alive)};

/* cudart prints what kernels print to our standard output: a file in memory, read after each launch. */
static int catch_output(void) {
	int out = memfd_create("device output", MFD_CLOEXEC);
	if (out >= 0) dup2(out, STDOUT_FILENO);
	return out;
}

static bool check_ordinal(CudaBackend *c, Err *err) {
	int count = 0;
	if (!cuda_ok(c, cudaGetDeviceCount(&count), "looking for GPUs", err)) return false;
	if (c->ordinal >= 0 && c->ordinal < count) return true;
	return gpu_not_there(c->ordinal, count, err);
}

bool backend_cuda_open(int ordinal, Backend **out, Err *err) {
	CudaBackend *c = xcalloc(1, sizeof *c);
	c->base.ops = &cuda_ops;
	c->ordinal = ordinal;
	c->out = catch_output();
	bool ok = check_ordinal(c, err) && cuda_ok(c, cudaSetDevice(ordinal), "opening the GPU", err) &&
			  cuda_ok(c, cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "opening the GPU", err) &&
			  cuda_ok(c, cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "opening the GPU", err) &&
			  cuda_ok(c, cudaEventCreate(&c->start), "opening the GPU", err) &&
			  cuda_ok(c, cudaEventCreate(&c->stop), "opening the GPU", err) && read_info(c, err);
	if (!ok) {
		cuda_close(&c->base);
		return false;
	}
	*out = &c->base;
	return true;
}
