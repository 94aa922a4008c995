/* libcuda.so.1 of ours, for programs that call the driver beside the runtime or in its place: each function by the
 * runtime's that does the same, so that both see one device. It is a library of its own since programs are linked with
 * one of that name.
 *
 * A module is a cudaLibrary_t, a function a cudaKernel_t, streams and events are the runtime's. There is one device.
 * Contexts share its memory, and each frees at its end what was allocated while it was current; a thread that made none
 * current has the runtime's. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "exec/driver/driver.h"

typedef uint64_t Pointer; /* CUdeviceptr */
typedef void *Handle;     /* CUcontext, CUmodule, CUfunction: of the sizes that <cuda.h> has */
typedef int Device;

/* Errors have the runtime's numbers, but for a few small ones. */
static int result(cudaError_t error) {
	switch (error) {
	case cudaErrorInvalidDeviceFunction: return 400; /* CUDA_ERROR_INVALID_HANDLE */
	case cudaSuccess:
	case cudaErrorInvalidValue:
	case cudaErrorMemoryAllocation:
	case cudaErrorInitializationError:
	case cudaErrorCudartUnloading: return (int)error;
	default: return error < cudaErrorNoDevice ? INVALID_VALUE : (int)error;
	}
}

static void *at(Pointer p) {
	return (void *)(uintptr_t)p; /* NOLINT(performance-no-int-to-ptr) */
}

#define ANYWHERE(name, params, ...)                                                                                    \
	API int name params {                                                                                              \
		return result(__VA_ARGS__);                                                                                    \
	}
#define IN_CONTEXT                                                                                                     \
	const cudaError_t refused = without_context();                                                                     \
	if (refused != cudaSuccess) return result(refused)
#define CALL(name, params, ...)                                                                                        \
	API int name params {                                                                                              \
		IN_CONTEXT;                                                                                                    \
		return result(__VA_ARGS__);                                                                                    \
	}
/* *out gets a value. */
#define ANSWER(name, params, out, ...)                                                                                 \
	API int name params {                                                                                              \
		out = __VA_ARGS__;                                                                                             \
		return SUCCESS;                                                                                                \
	}
#define NOTHING(name)                                                                                                  \
	API int name(void) {                                                                                               \
		return SUCCESS;                                                                                                \
	}

/* --- contexts ----------------------------------------------------------------------------------------------------- */

typedef struct {
	_Atomic bool lives;
} Context;

enum { MOST_CONTEXTS = 256, MOST_CURRENT = 64 };
static Context contexts[MOST_CONTEXTS] = {{true}}; /* the first is the runtime's; handles point to them */
static __thread Context *current[MOST_CURRENT];    /* the thread's stack; NULL at its bottom: none */
static __thread unsigned depth;
static __thread bool chooses; /* the thread has made contexts current by itself */
static __thread bool said;    /* what is wrong with the current one: that is a mistake made once */

static bool context_lives(Handle context) {
	for (size_t i = 0; i < MOST_CONTEXTS; i++)
		if (context == &contexts[i]) return contexts[i].lives;
	return false;
}

static Context *context_now(void) {
	return chooses ? current[depth] : contexts;
}

static void make_current(Handle context) {
	current[depth] = context;
	chooses = true;
	said = false;
}

static cudaError_t push(Handle context) {
	if (depth + 1 == MOST_CURRENT) return cudaErrorMemoryAllocation;
	if (!chooses) make_current(contexts);
	if (current[depth]) depth++;
	make_current(context);
	return cudaSuccess;
}

static void pop(void) {
	Context *next = depth ? current[--depth] : NULL;
	make_current(next);
}

/* Why nothing can be done now that needs a context. */
static cudaError_t without_context(void) {
	const Context *now = context_now();
	if (now && now->lives) return cudaSuccess;
	const cudaError_t error = now ? cudaErrorContextIsDestroyed : cudaErrorDeviceUninitialized;
	if (said) return error;
	said = true;
	return our_refused(error, now ? "the current context was destroyed: cuCtxDestroy comes after the last use"
								  : "no context is current: cuCtxDestroy destroyed the one that was");
}

static cudaError_t no_context(void) {
	return our_refused(cudaErrorDeviceUninitialized, "the context was destroyed before, or never created");
}

/* Handles come again as late as possible, so that one that was destroyed is known. */
static cudaError_t create(Handle *out) {
	static _Atomic unsigned made;
	for (size_t i = 1; i < MOST_CONTEXTS; i++) {
		Context *c = &contexts[1 + made++ % (MOST_CONTEXTS - 1)];
		if (atomic_exchange(&c->lives, true)) continue;
		*out = c;
		if (!chooses) make_current(NULL);
		return push(*out);
	}
	return cudaErrorMemoryAllocation;
}

/* What was allocated in contexts but the runtime's. */
typedef struct {
	void *at;
	const Context *of;
	bool host;
} Owned;
static VEC(Owned) owned;
static pthread_mutex_t owned_lock = PTHREAD_MUTEX_INITIALIZER;

/* The result of an allocation is the current context's. */
static cudaError_t own(cudaError_t error, void *out, bool host) {
	if (error != cudaSuccess || context_now() == contexts) return error;
	pthread_mutex_lock(&owned_lock);
	vec_push(&owned, ((Owned){*(void **)out, context_now(), host}));
	pthread_mutex_unlock(&owned_lock);
	return error;
}

/* Frees what is at the address, or all of a context. */
static cudaError_t free_owned(void *at, const Context *of, bool host) {
	pthread_mutex_lock(&owned_lock);
	for (size_t i = 0; i < owned.len; i++) {
		const Owned o = owned.data[i];
		if (of ? o.of != of : o.at != at) continue;
		owned.data[i--] = owned.data[--owned.len];
		if (of) (o.host ? cudaFreeHost : cudaFree)(o.at);
	}
	pthread_mutex_unlock(&owned_lock);
	return of ? cudaSuccess : (host ? cudaFreeHost : cudaFree)(at);
}

static cudaError_t destroy(Handle context) {
	if (context == contexts || !context_lives(context)) return no_context();
	((Context *)context)->lives = false;
	free_owned(NULL, context, false);
	if (context_now() == context) pop();
	return cudaSuccess;
}

static cudaError_t set_current(Handle context) {
	if (context && !context_lives(context)) return no_context();
	make_current(context ? context : contexts); /* without one, the runtime makes its own current when it is used */
	return cudaSuccess;
}

ANYWHERE(cuCtxCreate_v2, (Handle * out, unsigned flags, Device device), create(out))
ANYWHERE(cuCtxCreate_v4, (Handle * out, void *how, unsigned flags, Device device), create(out))
ANYWHERE(cuCtxDestroy_v2, (Handle context), destroy(context))
ANYWHERE(cuCtxSetCurrent, (Handle context), set_current(context))
ANYWHERE(cuCtxPushCurrent_v2, (Handle context), context_lives(context) ? push(context) : no_context())
ANSWER(cuDevicePrimaryCtxRetain, (Handle * out, Device device), *out, contexts)
ANSWER(cuCtxGetCurrent, (Handle * out), *out, context_now())

API int cuCtxPopCurrent_v2(Handle *out) {
	IN_CONTEXT;
	if (out) *out = context_now();
	if (chooses) pop();
	return SUCCESS;
}

/* --- the device --------------------------------------------------------------------------------------------------- */

ANYWHERE(cuInit, (unsigned flags), flags ? cudaErrorInvalidValue : cudaFree(NULL))
ANYWHERE(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))
ANYWHERE(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))

API int cuDeviceGet(Device *out, int ordinal) {
	*out = 0;
	return ordinal == 0 ? SUCCESS : result(cudaErrorInvalidDevice);
}

/* CUdevice_attribute and cudaDeviceAttr have the same numbers. */
ANYWHERE(cuDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, Device device),
		 cudaDeviceGetAttribute(value, attribute, device))

API int cuDeviceComputeCapability(int *major, int *minor, Device device) {
	const cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
	return error != cudaSuccess ? result(error)
								: result(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

API int cuDeviceGetName(char *out, int size, Device device) {
	struct cudaDeviceProp about;
	const cudaError_t error = cudaGetDeviceProperties(&about, device);
	if (error != cudaSuccess || size <= 0) return result(error != cudaSuccess ? error : cudaErrorInvalidValue);
	strncpy(out, about.name, (size_t)size - 1);
	out[size - 1] = 0;
	return SUCCESS;
}

API int cuDeviceTotalMem_v2(size_t *bytes, Device device) {
	size_t left;
	return device ? result(cudaErrorInvalidDevice) : result(cudaMemGetInfo(&left, bytes));
}

ANSWER(cuCtxGetDevice, (Device * out), *out, 0)
NOTHING(cuCtxSetCacheConfig)
NOTHING(cuDevicePrimaryCtxRelease_v2)
NOTHING(cuDevicePrimaryCtxSetFlags_v2)
NOTHING(cuProfilerStart)
NOTHING(cuProfilerStop)
CALL(cuCtxSynchronize, (void), cudaDeviceSynchronize())
CALL(cuCtxSetLimit, (enum cudaLimit limit, size_t value), cudaDeviceSetLimit(limit, value))
CALL(cuCtxGetLimit, (size_t * value, enum cudaLimit limit), cudaDeviceGetLimit(value, limit))

/* --- memory ------------------------------------------------------------------------------------------------------- */

CALL(cuMemAlloc_v2, (Pointer * out, size_t bytes),
	 bytes ? own(cudaMalloc((void **)out, bytes), out, false) : cudaErrorInvalidValue)
CALL(cuMemAllocManaged, (Pointer * out, size_t bytes, unsigned flags),
	 own(cudaMallocManaged((void **)out, bytes, flags), out, false))
CALL(cuMemAllocPitch_v2, (Pointer * out, size_t *pitch, size_t width, size_t height, unsigned element),
	 width &&height && (element == 4 || element == 8 || element == 16)
		 ? own(cudaMallocPitch((void **)out, pitch, width, height), out, false)
		 : cudaErrorInvalidValue)
CALL(cuMemAllocAsync, (Pointer * out, size_t bytes, cudaStream_t s), cudaMallocAsync((void **)out, bytes, s))
CALL(cuMemAllocHost_v2, (void **out, size_t bytes), own(cudaHostAlloc(out, bytes, 0), out, true))
CALL(cuMemHostAlloc, (void **out, size_t bytes, unsigned flags), own(cudaHostAlloc(out, bytes, flags), out, true))
CALL(cuMemHostGetDevicePointer_v2, (Pointer * out, void *host, unsigned flags),
	 cudaHostGetDevicePointer((void **)out, host, flags))
CALL(cuMemHostRegister_v2, (void *host, size_t bytes, unsigned flags), cudaHostRegister(host, bytes, flags))
CALL(cuMemHostUnregister, (void *host), cudaHostUnregister(host))
CALL(cuMemFree_v2, (Pointer p), free_owned(at(p), NULL, false))
CALL(cuMemFreeAsync, (Pointer p, cudaStream_t s), cudaFreeAsync(at(p), s))
CALL(cuMemFreeHost, (void *host), free_owned(host, NULL, true))
CALL(cuMemGetInfo_v2, (size_t * left, size_t *total), cudaMemGetInfo(left, total))
CALL(cuMemGetAddressRange_v2, (Pointer * base, size_t *bytes, Pointer p), our_range(base, bytes, p))
CALL(cuDeviceGetGraphMemAttribute, (Device device, int attribute, void *out),
	 cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, out))
CALL(cuDeviceSetGraphMemAttribute, (Device device, int attribute, void *value),
	 cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attribute, value))
CALL(cuDeviceGraphMemTrim, (Device device), cudaDeviceGraphMemTrim(device))

CALL(cuMemcpy, (Pointer to, Pointer from, size_t n), cudaMemcpy(at(to), at(from), n, cudaMemcpyDefault))
CALL(cuMemcpyHtoD_v2, (Pointer to, const void *from, size_t n), cudaMemcpy(at(to), from, n, cudaMemcpyHostToDevice))
CALL(cuMemcpyDtoH_v2, (void *to, Pointer from, size_t n), cudaMemcpy(to, at(from), n, cudaMemcpyDeviceToHost))
CALL(cuMemcpyDtoD_v2, (Pointer to, Pointer from, size_t n), cudaMemcpy(at(to), at(from), n, cudaMemcpyDeviceToDevice))
CALL(cuMemcpyAsync, (Pointer to, Pointer from, size_t n, cudaStream_t s),
	 cudaMemcpyAsync(at(to), at(from), n, cudaMemcpyDefault, s))
CALL(cuMemcpyHtoDAsync_v2, (Pointer to, const void *from, size_t n, cudaStream_t s),
	 cudaMemcpyAsync(at(to), from, n, cudaMemcpyHostToDevice, s))
CALL(cuMemcpyDtoHAsync_v2, (void *to, Pointer from, size_t n, cudaStream_t s),
	 cudaMemcpyAsync(to, at(from), n, cudaMemcpyDeviceToHost, s))
CALL(cuMemcpyDtoDAsync_v2, (Pointer to, Pointer from, size_t n, cudaStream_t s),
	 cudaMemcpyAsync(at(to), at(from), n, cudaMemcpyDeviceToDevice, s))

/* The runtime fills with bytes only: wider values are written once, and copied from there with twice as many each
 * time. */
static cudaError_t fill(Pointer to, const void *value, size_t width, size_t count, cudaStream_t s) {
	size_t bytes;
	if (!count) return cudaSuccess;
	if (to % width || __builtin_mul_overflow(width, count, &bytes)) return cudaErrorInvalidValue;
	cudaError_t error = cudaMemcpyAsync(at(to), value, width, cudaMemcpyHostToDevice, s);
	for (size_t done = width; done < bytes && error == cudaSuccess; done *= 2)
		error = cudaMemcpyAsync(at(to + done), at(to), done < bytes - done ? done : bytes - done,
								cudaMemcpyDeviceToDevice, s);
	return error;
}

CALL(cuMemsetD8_v2, (Pointer to, unsigned char value, size_t n), cudaMemset(at(to), value, n))
CALL(cuMemsetD8Async, (Pointer to, unsigned char value, size_t n, cudaStream_t s), cudaMemsetAsync(at(to), value, n, s))
CALL(cuMemsetD16_v2, (Pointer to, uint16_t value, size_t n), fill(to, &value, sizeof value, n, NULL))
CALL(cuMemsetD16Async, (Pointer to, uint16_t value, size_t n, cudaStream_t s), fill(to, &value, sizeof value, n, s))
CALL(cuMemsetD32_v2, (Pointer to, uint32_t value, size_t n), fill(to, &value, sizeof value, n, NULL))
CALL(cuMemsetD32Async, (Pointer to, uint32_t value, size_t n, cudaStream_t s), fill(to, &value, sizeof value, n, s))

/* --- streams and events ------------------------------------------------------------------------------------------- */

CALL(cuStreamCreate, (cudaStream_t * out, unsigned flags), cudaStreamCreateWithFlags(out, flags))
CALL(cuStreamCreateWithPriority, (cudaStream_t * out, unsigned flags, int priority),
	 cudaStreamCreateWithPriority(out, flags, priority))
CALL(cuStreamDestroy_v2, (cudaStream_t s), cudaStreamDestroy(s))
CALL(cuStreamSynchronize, (cudaStream_t s), cudaStreamSynchronize(s))
CALL(cuStreamQuery, (cudaStream_t s), cudaStreamQuery(s))
CALL(cuStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags), cudaStreamWaitEvent(s, e, flags))
CALL(cuEventCreate, (cudaEvent_t * out, unsigned flags), cudaEventCreateWithFlags(out, flags))
CALL(cuEventDestroy_v2, (cudaEvent_t e), cudaEventDestroy(e))
CALL(cuEventRecord, (cudaEvent_t e, cudaStream_t s), cudaEventRecord(e, s))
CALL(cuEventSynchronize, (cudaEvent_t e), cudaEventSynchronize(e))
CALL(cuEventQuery, (cudaEvent_t e), cudaEventQuery(e))
CALL(cuEventElapsedTime, (float *ms, cudaEvent_t from, cudaEvent_t to), cudaEventElapsedTime(ms, from, to))
CALL(cuEventElapsedTime_v2, (float *ms, cudaEvent_t from, cudaEvent_t to), cudaEventElapsedTime(ms, from, to))

/* --- modules and launches ----------------------------------------------------------------------------------------- */

CALL(cuModuleLoad, (Handle * out, const char *file), our_library_load_file(out, file, NULL, NULL, 0, NULL, NULL, 0))
CALL(cuModuleLoadData, (Handle * out, const void *code), our_library_load(out, code, NULL, NULL, 0, NULL, NULL, 0))
CALL(cuModuleLoadFatBinary, (Handle * out, const void *code), our_library_load(out, code, NULL, NULL, 0, NULL, NULL, 0))
CALL(cuModuleLoadDataEx, (Handle * out, const void *code, unsigned noptions, void *options, void **values),
	 our_library_load(out, code, NULL, NULL, 0, NULL, NULL, 0))
CALL(cuModuleUnload, (Handle module), our_library_unload(module))
CALL(cuModuleGetFunction, (Handle * out, Handle module, const char *name), our_library_kernel(out, module, name))
CALL(cuModuleGetGlobal_v2, (Pointer * out, size_t *bytes, Handle module, const char *name),
	 our_library_variable((void **)out, bytes, module, name))
CALL(cuFuncSetAttribute, (Handle f, enum cudaFuncAttribute attribute, int value),
	 cudaFuncSetAttribute(f, attribute, value))
NOTHING(cuFuncSetCacheConfig)
CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, Handle f, int threads, size_t shared),
	 cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared))

/* The attributes have the numbers of CUfunction_attribute. */
API int cuFuncGetAttribute(int *value, int attribute, Handle f) {
	struct cudaFuncAttributes a;
	IN_CONTEXT;
	const cudaError_t error = cudaFuncGetAttributes(&a, f);
	const int values[] = {a.maxThreadsPerBlock,
						  (int)a.sharedSizeBytes,
						  (int)a.constSizeBytes,
						  (int)a.localSizeBytes,
						  a.numRegs,
						  a.ptxVersion,
						  a.binaryVersion,
						  a.cacheModeCA,
						  a.maxDynamicSharedSizeBytes,
						  a.preferredShmemCarveout};
	if (error != cudaSuccess) return result(error);
	if (attribute < 0 || (size_t)attribute >= sizeof values / sizeof *values) return INVALID_VALUE;
	*value = values[attribute];
	return SUCCESS;
}

/* extra: parameters laid out in a buffer, which has CU_LAUNCH_PARAM_BUFFER_POINTER before it, and its size, which has
 * CU_LAUNCH_PARAM_BUFFER_SIZE before it. They are pointed to one by one. */
enum { PARAMS_END, PARAMS_AT, PARAMS_BYTES, MOST_PARAMS = 1024 };

/* As a GPU has it, the buffer ends where the last parameter does. */
static bool point_into(void **extra, Handle f, void **params) {
	char *buffer = NULL;
	size_t given = 0, end = 0, offset, bytes;
	for (; extra && extra[0] != (void *)PARAMS_END; extra += 2) {
		if (extra[0] == (void *)PARAMS_AT) buffer = extra[1];
		if (extra[0] == (void *)PARAMS_BYTES) given = *(size_t *)extra[1];
	}
	const size_t nparams = our_params(f);
	for (size_t n = 0; n < nparams && n < MOST_PARAMS && our_param(f, n, &offset, &bytes) == cudaSuccess; n++) {
		params[n] = buffer + offset;
		end = offset + bytes;
	}
	return given == end;
}

static cudaError_t launch(const cudaLaunchConfig_t *config, Handle f, void **params, void **extra) {
	void *pointers[MOST_PARAMS];
	if (params || !extra) return cudaLaunchKernelExC(config, f, params);
	if (!point_into(extra, f, pointers)) return cudaErrorLaunchOutOfResources;
	return cudaLaunchKernelExC(config, f, pointers);
}

API int cuLaunchKernel(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
					   unsigned shared, cudaStream_t stream, void **params, void **extra) {
	IN_CONTEXT;
	const cudaLaunchConfig_t config = {
		.gridDim = {gx, gy, gz}, .blockDim = {bx, by, bz}, .dynamicSmemBytes = shared, .stream = stream};
	return result(launch(&config, f, params, extra));
}

API int cuLaunchCooperativeKernel(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
								  unsigned bz, unsigned shared, cudaStream_t stream, void **params) {
	IN_CONTEXT;
	const dim3 grid = {gx, gy, gz}, block = {bx, by, bz};
	return result(cudaLaunchCooperativeKernel(f, grid, block, params, shared, stream));
}

/* CUlaunchConfig. Its attributes are the runtime's. */
typedef struct {
	unsigned grid[3], block[3], shared;
	cudaStream_t stream;
	cudaLaunchAttribute *attributes;
	unsigned nattributes;
} LaunchConfig;

API int cuLaunchKernelEx(const LaunchConfig *c, Handle f, void **params, void **extra) {
	IN_CONTEXT;
	const cudaLaunchConfig_t config = {.gridDim = {c->grid[0], c->grid[1], c->grid[2]},
									   .blockDim = {c->block[0], c->block[1], c->block[2]},
									   .dynamicSmemBytes = c->shared,
									   .stream = c->stream,
									   .attrs = c->attributes,
									   .numAttrs = c->nattributes};
	return result(launch(&config, f, params, extra));
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

static const struct {
	int number;
	const char *name;
} names[] = {
	{0, "CUDA_SUCCESS"},
	{1, "CUDA_ERROR_INVALID_VALUE"},
	{2, "CUDA_ERROR_OUT_OF_MEMORY"},
	{3, "CUDA_ERROR_NOT_INITIALIZED"},
	{4, "CUDA_ERROR_DEINITIALIZED"},
	{100, "CUDA_ERROR_NO_DEVICE"},
	{101, "CUDA_ERROR_INVALID_DEVICE"},
	{200, "CUDA_ERROR_INVALID_IMAGE"},
	{201, "CUDA_ERROR_INVALID_CONTEXT"},
	{209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
	{218, "CUDA_ERROR_INVALID_PTX"},
	{301, "CUDA_ERROR_FILE_NOT_FOUND"},
	{400, "CUDA_ERROR_INVALID_HANDLE"},
	{500, "CUDA_ERROR_NOT_FOUND"},
	{600, "CUDA_ERROR_NOT_READY"},
	{700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
	{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
	{702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
	{709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
	{710, "CUDA_ERROR_ASSERT"},
	{712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
	{713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
	{714, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
	{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
	{716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
	{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
	{719, "CUDA_ERROR_LAUNCH_FAILED"},
	{720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
	{801, "CUDA_ERROR_NOT_SUPPORTED"},
	{912, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
	{999, "CUDA_ERROR_UNKNOWN"},
};

static const char *name_of(int number) {
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == number) return names[i].name;
	return NULL;
}

/* An error of the runtime's as the driver's functions return it. */
API int __cudaGpulabDriverError(cudaError_t error, const char **name) {
	const char *known = name_of(result(error));
	*name = known ? known : "an error";
	return result(error);
}

/* The runtime is asked, too: the program has looked at the error. */
API int cuGetErrorName(int number, const char **out) {
	cudaGetErrorName((cudaError_t)number);
	*out = name_of(number);
	return *out ? SUCCESS : INVALID_VALUE;
}

API int cuGetErrorString(int number, const char **out) {
	*out = cudaGetErrorString((cudaError_t)number);
	return SUCCESS;
}

/* --- functions by name -----------------------------------------------------------------------------------------*/

enum { FOUND, NOT_FOUND, CUDA_13 = 13000, ERROR_NOT_FOUND = 500 };

/* What programs call by a plain name is in the library under that of its newest version. */
static void *find(const char *name, int version) {
	static const char *const suffixes[] = {"_v4", "_v2", ""};
	void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), *found = NULL;
	char full[128];
	for (size_t i = version < CUDA_13; i < sizeof suffixes / sizeof *suffixes && self && !found; i++) {
		snprintf(full, sizeof full, "%.100s%s", name, suffixes[i]);
		found = dlsym(self, full);
	}
	if (self) dlclose(self);
	return found;
}

API int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status) {
	if (!name || !out) return INVALID_VALUE;
	*out = find(name, version);
	if (status) *status = *out ? FOUND : NOT_FOUND;
	return *out ? SUCCESS : ERROR_NOT_FOUND;
}
API int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags) {
	return cuGetProcAddress_v2(name, out, version, flags, NULL);
}
