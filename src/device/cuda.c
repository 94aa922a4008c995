/* backend.h over cudart: the device, its memory, its modules. Launches are in cuda_launch.c. Runs only inside a worker. */
#include "device/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "device/cuda_transfer.h"
#include "device/unavailable.h"

/* --- errors ------------------------------------------------------------------------------------------------------------ */

static void version_text(int version, char *out, size_t size) {
	snprintf(out, size, "%d.%d", version / 1000, version % 1000 / 10);
}

static bool driver_too_old(Err *err) {
	int driver = 0, runtime = 0;
	char have[16], want[16];
	cudaDriverGetVersion(&driver);
	cudaRuntimeGetVersion(&runtime);
	version_text(driver, have, sizeof have);
	version_text(runtime, want, sizeof want);
	if (!driver) {
		err_set(err, ERR_SETUP, "no NVIDIA driver is running on this machine");
		return err_hint(err, "install the NVIDIA driver, or use the emulator: --device emu");
	}
	err_set(err, ERR_SETUP, "the NVIDIA driver knows CUDA up to %s, this program was built with %s", have, want);
	return err_hint(err, "update the driver, or build with CUDA %s or older (-Dcuda=DIR), or use --device emu", have);
}

/* Does the context still work? A fault of a kernel comes back from every call that follows. */
static void broken_after(CudaBackend *c) {
	cudaGetLastError();
	cudaError_t now = c->stream ? cudaStreamQuery(c->stream) : cudaSuccess;
	if (now != cudaSuccess && now != cudaErrorNotReady) c->broken = true;
}

/* Asked without a context, which cannot be had. */
static bool unavailable(const CudaBackend *c, Err *err) {
	enum { MOST = 16 };
	uint32_t pids[MOST];
	char bus[sizeof c->info.bus] = "";
	int mode = MODE_DEFAULT;
	if (cudaDeviceGetPCIBusId(bus, sizeof bus, c->ordinal) != cudaSuccess) *bus = '\0';
	if (cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, c->ordinal) != cudaSuccess) mode = MODE_DEFAULT;
	cudaGetLastError();
	return gpu_busy(c->ordinal, (ComputeMode)mode, pids, cuda_nvml_processes(bus, pids, MOST), err);
}

bool cuda_ok(CudaBackend *c, cudaError_t status, const char *doing, Err *err) {
	switch (status) {
	case cudaSuccess: return true;
	case cudaErrorInsufficientDriver: return driver_too_old(err);
	case cudaErrorUnsupportedPtxVersion:
		err_set(err, ERR_SETUP, "the driver does not understand this PTX: NVRTC is newer than the driver");
		return err_hint(err, "update the driver, or use an NVRTC of the driver's CUDA version");
	case cudaErrorNoDevice:
		err_set(err, ERR_SETUP, "the NVIDIA driver sees no GPU");
		return err_hint(err, "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device emu");
	case cudaErrorDevicesUnavailable: return unavailable(c, err);
	case cudaErrorSystemDriverMismatch:
		err_set(err, ERR_SETUP, "the NVIDIA driver's library and its kernel module are of different versions");
		return err_hint(err, "the driver was updated while it ran: restart the machine, or use --device emu");
	case cudaErrorSystemNotReady:
		err_set(err, ERR_SETUP, "the NVIDIA driver is not ready yet");
		return err_hint(err, "GPUs joined by NVSwitch need the fabric manager's service to run; or use --device emu");
	case cudaErrorECCUncorrectable:
	case cudaErrorNvlinkUncorrectable:
		c->broken = true;
		err_set(err, ERR_SETUP, "the GPU cuda:%d has a fault of its own: %s", c->ordinal, cudaGetErrorString(status));
		return err_hint(err, "see nvidia-smi -q and the system's log; name another GPU with --device");
	case cudaErrorMemoryAllocation:
	case cudaErrorInvalidValue:
	case cudaErrorInvalidResourceHandle:
	case cudaErrorNotSupported: break;
	default: broken_after(c);
	}
	return err_set(err, ERR_SETUP, "%s failed: %s", doing, cudaGetErrorString(status));
}

/* --- the device ---------------------------------------------------------------------------------------------------------- */

static int attribute(const CudaBackend *c, enum cudaDeviceAttr which) {
	int value = 0;
	if (cudaDeviceGetAttribute(&value, which, c->ordinal) != cudaSuccess) value = 0;
	return value < 0 ? 0 : value;
}

/* "580.159.04" from NVML, which comes with the driver; else the CUDA version it serves. */
static void driver_text(char *out, size_t size) {
	int version = 0;
	cudaDriverGetVersion(&version);
	version_text(version, out, size);
	cuda_nvml_driver(out, size);
}

static const Gpu *record_of(const char *name, uint32_t cc) {
	const Gpu *gpu = gpu_find(name, NULL);
	return gpu && gpu->cc == cc ? gpu : NULL;
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
	if (!cuda_ok(c, cudaGetDeviceProperties(&prop, c->ordinal), "asking the GPU about itself", err)) return false;
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
	/* two transfers a clock on every pin of the bus */
	info->dram_gbps =
		2e3 * attribute(c, cudaDevAttrMemoryClockRate) * (attribute(c, cudaDevAttrGlobalMemoryBusWidth) / 8) * 1e-9;
	info->gpu = record_of(prop.name, info->cc);
	if (info->gpu && info->gpu->dram_gbps > 0) info->dram_gbps = info->gpu->dram_gbps;
	info->devices = (uint32_t)devices;
	if (cudaDeviceGetPCIBusId(info->bus, sizeof info->bus, c->ordinal) != cudaSuccess) *info->bus = '\0';
	driver_text(info->driver, sizeof info->driver);
	version_text(runtime, info->runtime, sizeof info->runtime);
	read_limits(c);
	return true;
}

static bool cuda_info(Backend *b, DeviceInfo *out, Err *err) {
	(void)err;
	*out = ((CudaBackend *)b)->info;
	return true;
}

/* --- memory -------------------------------------------------------------------------------------------------------------- */

static void *pointer(uint64_t addr) {
	return (void *)(uintptr_t)addr;
}

static bool finish(CudaBackend *c, cudaError_t queued, const char *doing, Err *err) {
	return cuda_ok(c, queued, doing, err) && cuda_ok(c, cudaStreamSynchronize(c->stream), doing, err);
}

static bool cuda_alloc(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *p = NULL;
	cudaError_t status = cudaMalloc(&p, bytes);
	if (status == cudaErrorMemoryAllocation) {
		size_t left = 0, total = 0;
		cudaGetLastError();
		cudaMemGetInfo(&left, &total);
		err_set(err, ERR_SETUP, "'%s' needs %.1f MB, and the GPU has %.1f MB of %.1f MB left", name,
				(double)bytes * 1e-6, (double)left * 1e-6, (double)total * 1e-6);
		return err_hint(err, "free buffers, or choose a smaller problem");
	}
	if (!cuda_ok(c, status, "allocating memory", err)) return false;
	*addr = (uintptr_t)p;
	return true;
}

static bool cuda_free(Backend *b, uint64_t addr, Err *err) {
	bool ok;
	if (cuda_free_mapped((CudaBackend *)b, addr, &ok, err)) return ok;
	return cuda_ok((CudaBackend *)b, cudaFree(pointer(addr)), "freeing memory", err);
}

static bool cuda_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *mapped = cuda_mapped(c, addr, bytes);
	if (mapped) { /* no kernel runs now: every launch was waited for */
		memcpy(mapped, data, bytes);
		return true;
	}
	return finish(c, cudaMemcpyAsync(pointer(addr), data, bytes, cudaMemcpyHostToDevice, c->stream),
				  "copying to the GPU", err);
}

/* Page-locked, it is copied at the speed of the link; if that is refused, more slowly. */
static void cuda_pin(Backend *b, void *memory, size_t bytes) {
	(void)b;
	cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
	cudaGetLastError();
}

static bool cuda_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const void *mapped = cuda_mapped(c, addr, bytes);
	if (mapped) {
		memcpy(data, mapped, bytes);
		return true;
	}
	return finish(c, cudaMemcpyAsync(data, pointer(addr), bytes, cudaMemcpyDeviceToHost, c->stream),
				  "copying from the GPU", err);
}

static bool cuda_fill(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	void *mapped = cuda_mapped(c, addr, bytes);
	if (mapped) {
		memset(mapped, byte, bytes);
		return true;
	}
	return finish(c, cudaMemsetAsync(pointer(addr), byte, bytes, c->stream), "filling memory", err);
}

/* --- modules ------------------------------------------------------------------------------------------------------------- */

/* Machine code runs on its own generation only, from its own revision on; PTX the driver compiles for any later GPU. */
static bool cubin_runs(const CudaBackend *c, const Compiled *compiled) {
	return compiled->cubin && compiled->cubin_bytes && compiled->cc / 10 == c->info.cc / 10 &&
		   compiled->cc <= c->info.cc;
}

static bool cuda_load(Backend *b, const Compiled *compiled, uint64_t *module, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const void *code = cubin_runs(c, compiled) ? compiled->cubin : compiled->ptx;
	cudaLibrary_t library = NULL;
	if (!code) return err_set(err, ERR_USAGE, "the module has neither machine code for this GPU nor PTX");
	if (!cuda_ok(c, cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0), "loading the module", err))
		return false;
	vec_push(&c->libraries, library);
	*module = c->libraries.len;
	return true;
}

static bool no_module(uint64_t module, Err *err) {
	return err_set(err, ERR_USAGE, "module %llu is not loaded", (unsigned long long)module);
}

static bool cuda_unload(Backend *b, uint64_t module, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	if (module < 1 || module > c->libraries.len || !c->libraries.data[module - 1]) return no_module(module, err);
	cudaLibrary_t library = c->libraries.data[module - 1];
	c->libraries.data[module - 1] = NULL;
	return cuda_ok(c, cudaLibraryUnload(library), "unloading the module", err);
}

cudaKernel_t cuda_find_kernel(CudaBackend *c, uint64_t module, const char *name, Err *err) {
	cudaKernel_t kernel = NULL;
	if (module < 1 || module > c->libraries.len || !c->libraries.data[module - 1]) {
		no_module(module, err);
		return NULL;
	}
	if (cudaLibraryGetKernel(&kernel, c->libraries.data[module - 1], name) != cudaSuccess) {
		cudaGetLastError();
		err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", name);
		return NULL;
	}
	return kernel;
}

/* --- open, close ----------------------------------------------------------------------------------------------------------- */

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
									.close = cuda_close,
									.info = cuda_info,
									.alloc = cuda_alloc,
									.free = cuda_free,
									.upload = cuda_upload,
									.download = cuda_download,
									.pin = cuda_pin,
									.fill = cuda_fill,
									.texture = cuda_texture,
									.texture_free = cuda_texture_free,
									.texture_copy = cuda_texture_copy,
									.load = cuda_load,
									.unload = cuda_unload,
									.symbol = cuda_symbol,
									.kernel_info = cuda_kernel_info,
									.occupancy = cuda_occupancy,
									.launch = cuda_launch,
									.sample = cuda_sample,
									.has_library = cuda_has_library,
									.library = cuda_library,
									.alloc_mapped = cuda_alloc_mapped,
									.copy = cuda_copy,
									.pipeline = cuda_pipeline,
									.alive = cuda_alive};

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
