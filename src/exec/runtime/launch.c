/* The runtime's functions for launches, and for what is known of kernels. See runtime.h. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/mangled.h"
#include "exec/runtime/runtime.h"

/* --- kernel<<<...>>> ---------------------------------------------------------------------------------------------- */

typedef struct {
	dim3 grid, block;
	size_t shared;
	void *stream;
} Configuration;

enum { MOST_NESTED = 16 };
static __thread Configuration pushed[MOST_NESTED];
static __thread unsigned npushed;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
	if (npushed == MOST_NESTED) return 1;
	pushed[npushed++] = (Configuration){grid, block, shared, stream};
	return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
	if (!npushed) return cudaErrorMissingConfiguration;
	const Configuration *c = &pushed[--npushed];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(void **)stream = c->stream;
	return cudaSuccess;
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

static size_t heap_bytes; /* cudaLimitMallocHeapSize; 0: as it is */

/* What the program finds out at its next call, as after a launch on a GPU. */
static cudaError_t error_of_fault(FaultKind fault) {
	switch (fault) {
	case FAULT_OUT_OF_BOUNDS:
	case FAULT_FREED: return cudaErrorIllegalAddress;
	case FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
	case FAULT_WRONG_SPACE: return cudaErrorInvalidAddressSpace;
	case FAULT_STACK: return cudaErrorHardwareStackError;
	case FAULT_ASSERT: return cudaErrorAssert;
	case FAULT_INSTRUCTION: return cudaErrorIllegalInstruction;
	default: return cudaErrorLaunchFailure;
	}
}

static cudaError_t ended(const ExecEnded *e, const LaunchConfig *config) {
	if (e->status == LAUNCH_LIMIT && e->fault == FAULT_INSTRUCTION) return cudaErrorNotSupported;
	switch (e->status) {
	case LAUNCH_OK: clock_add(e->milliseconds); return cudaSuccess;
	case LAUNCH_LIMIT: return config->cluster[0] ? cudaErrorInvalidClusterSize : cudaErrorInvalidConfiguration;
	case LAUNCH_FAULT: lose_device(error_of_fault(e->fault)); return cudaSuccess;
	case LAUNCH_TIMEOUT: lose_device(cudaErrorLaunchTimeout); return cudaSuccess;
	default: lose_device(cudaErrorUnknown); return cudaSuccess;
	}
}

static void pack(const Kernel *k, void *const *args, char *params) {
	for (uint32_t i = 0; i < k->about.nparams; i++)
		memcpy(params + k->about.params[i].offset, args[i], k->about.params[i].size);
}

static bool empty(dim3 d) {
	return !d.x || !d.y || !d.z;
}

static bool fits(const Kernel *k, dim3 grid, dim3 block) {
	const Gpu *g = facts()->gpu;
	const uint64_t threads = (uint64_t)block.x * block.y * block.z;
	return grid.x <= g->max_grid[0] && grid.y <= g->max_grid[1] && grid.z <= g->max_grid[2] &&
		   block.x <= g->max_block[0] && block.y <= g->max_block[1] && block.z <= g->max_block[2] &&
		   threads <= g->threads_per_block && threads <= k->about.info.max_threads;
}

/* While gpulab may step it, Ctrl-C belongs to its prompt. */
static bool ask_launch(const BackendLaunch *call, ExecEnded *ended) {
	struct sigaction before;
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	if (!facts()->steps) return ask(EXEC_launch, call, ended);
	sigaction(SIGINT, &ignore, &before);
	const bool ok = ask(EXEC_launch, call, ended);
	sigaction(SIGINT, &before, NULL);
	return ok;
}

static cudaError_t run(void *data) {
	const BackendLaunch *call = data; /* its parameters follow */
	ExecEnded e;
	cudaError_t error;
	if (device_lost(&error)) return error;
	textures_before_launch(call->params, call->param_bytes);
	managed_to_device();
	if (!ask_launch(call, &e)) return cudaErrorLaunchFailure;
	if (e.status == LAUNCH_OK) early_launch(call->linked_name, e.touched, e.ntouched); /* until the next question */
	error = ended(&e, &call->config);
	if (e.status == LAUNCH_OK) managed_from_device();
	if (e.status == LAUNCH_OK) textures_after_launch();
	return error;
}

static bool blocks_per_sm(const Kernel *k, uint64_t threads, size_t shared, uint64_t *out) {
	Number n;
	const KernelRequest shape = {k->module->number, k->name, (uint32_t)threads, shared, 0};
	const bool ok = ask(EXEC_occupancy, &shape, &n);
	*out = ok ? n.value : 0;
	return ok;
}

/* All blocks of a cooperative launch are on the GPU at once. */
static bool is_too_large(const Kernel *k, dim3 grid, dim3 block, size_t shared) {
	uint64_t n;
	const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z, threads = (uint64_t)block.x * block.y * block.z;
	return blocks_per_sm(k, threads, shared, &n) && blocks > n * facts()->gpu->sms;
}

/* A kernel may use more than 48 KB only if the program asked for it. */
static bool shared_fits(const Kernel *k, size_t dynamic) {
	const size_t most = k->dynamic_limit > DEFAULT_SHARED ? k->dynamic_limit : DEFAULT_SHARED;
	const size_t fixed = k->about.info.static_shared, all = dynamic + fixed;
	if (fixed <= most && dynamic <= most - fixed) return true;
	if (is_handle((const void *)dynamic, A_STREAM)) { /* NOLINT(performance-no-int-to-ptr) */
		because(
			"the third argument, the bytes of dynamic shared memory, is a stream: <<<grid, block, bytes, stream>>>");
		return false;
	}
	if (dynamic < SIZE_MAX / 2 && all <= facts()->gpu->shared_per_block)
		because("%zu bytes of shared memory per block, and %zu are allowed: first call cudaFuncSetAttribute with "
				"cudaFuncAttributeMaxDynamicSharedMemorySize",
				all, most);
	else
		because("%zu bytes of dynamic shared memory per block; the %s has %zu in all", dynamic, facts()->gpu->name,
				(size_t)facts()->gpu->shared_per_block);
	return false;
}

static bool passes(const Kernel *k, const char *params, uint64_t number) {
	for (uint32_t i = 0; i < k->about.nparams; i++) {
		uint64_t value = 0;
		if (k->about.params[i].size > sizeof value) continue;
		memcpy(&value, params + k->about.params[i].offset, k->about.params[i].size);
		if (value == number) return true;
	}
	return false;
}

/* The address of a variable's stand-in; or memory that cudaMemset filled with a small number: an element there is
 * another one. */
static void look_at_pointers(const Kernel *k, const char *params) {
	enum { MOST_TYPES = 64, MOST_FILL = 16 };
	ParamType types[MOST_TYPES];
	const size_t n = facts()->check ? mangled_parameters(k->name, types, MOST_TYPES) : 0;
	for (uint32_t i = 0; n == k->about.nparams && i < n; i++) {
		uint64_t addr;
		if (types[i].kind != PARAM_POINTER || !types[i].typed) continue;
		memcpy(&addr, params + k->about.params[i].offset, sizeof addr);
		Block *b = block_at(addr);
		const char *variable = variable_name((const void *)(uintptr_t)addr); /* NOLINT(performance-no-int-to-ptr) */
		if (variable)
			mistake(
				"parameter %u is the address of %s in host code, where a variable of the device has none: use %s in "
				"the kernel, or pass what cudaGetSymbolAddress gives",
				i + 1, variable, variable);
		if (!b) continue;
		const uint8_t width = (uint8_t)elem_bytes(types[i].elem);
		if (b->fill && b->fill <= MOST_FILL && width > 1)
			mistake("cudaMemset set each byte of what parameter %u points to, to %u: an int there is 0x%08x, and not "
					"%u; set elements in a kernel, or copy them",
					i + 1, b->fill, b->fill * 0x01010101u, b->fill);
		b->fill = 0;
		b->element = passes(k, params, b->bytes / width) ? width : 0;
	}
}

/* What shows before gpulab is asked to launch. It is a launch of the program all the same, unless it is captured. */
static cudaError_t refused(const Kernel *k, const cudaLaunchConfig_t *config, const BackendLaunch *call) {
	const dim3 grid = config->gridDim, block = config->blockDim;
	cudaError_t error = cudaSuccess;
	if (empty(grid) || empty(block)) {
		because("%s is empty: a size is 0", empty(grid) ? "the grid" : "the block");
		error = cudaErrorInvalidConfiguration;
	} else if (!shared_fits(k, config->dynamicSmemBytes)) {
		error = cudaErrorInvalidValue;
	}
	if (error == cudaSuccess || stream_key(config->stream).graph) return error;
	queue_finish(); /* what was launched before it comes first */
	ask(EXEC_refused, &(ExecRefused){*call, reason()}, NULL);
	return error;
}

static cudaError_t launch(const void *function, const cudaLaunchConfig_t *config, void **args, bool cooperative,
						  dim3 cluster) {
	const dim3 grid = config->gridDim, block = config->blockDim;
	const size_t shared = config->dynamicSmemBytes;
	cudaError_t error;
	const Kernel *k = kernel_of(function, &error);
	if (!k) return error;
	if (!args && k->about.nparams) because("the kernel has %u parameters, and got none", k->about.nparams);
	if (!args && k->about.nparams) return cudaErrorInvalidValue;
	BackendLaunch *call = xcalloc(1, sizeof *call + k->about.param_bytes + 1);
	char *params = (char *)(call + 1);
	pack(k, args, params);
	*call = (BackendLaunch){.module = k->module->number,
							.linked_name = k->name,
							.config = {.grid = {grid.x, grid.y, grid.z},
									   .block = {block.x, block.y, block.z},
									   .cluster = {cluster.x, cluster.y, cluster.z},
									   .shared_bytes = shared,
									   .heap_bytes = heap_bytes,
									   .cooperative = cooperative},
							.params = params,
							.param_bytes = k->about.param_bytes};
	error = refused(k, config, call);
	if (error != cudaSuccess) {
		free(call);
		return error;
	}
	const bool possible = fits(k, grid, block);
	const bool too_large = possible && cooperative && empty(cluster) && is_too_large(k, grid, block, shared);
	printed_comes_out();
	if (possible && !too_large) {
		look_at_pointers(k, params);
		return queue_add(stream_key(config->stream), 0, run, call, NULL);
	}
	queue_finish(); /* it is refused, and the program learns of it at once */
	error = run(call);
	free(call);
	return too_large && error == cudaErrorInvalidConfiguration ? cudaErrorCooperativeLaunchTooLarge : error;
}

static cudaError_t launch_plain(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
								bool cooperative, cudaStream_t stream) {
	const cudaLaunchConfig_t config = {
		.gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream};
	return launch(function, &config, args, cooperative, (dim3){0, 0, 0});
}

CALL_QUEUED(cudaLaunchKernel,
			(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
			launch_plain(function, grid, block, args, shared, false, stream))
ALSO(__cudaLaunchKernel, cudaLaunchKernel)
CALL_QUEUED(cudaLaunchCooperativeKernel,
			(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
			launch_plain(function, grid, block, args, shared, true, stream))

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
	bool cooperative = false;
	dim3 cluster = {0, 0, 0};
	BEGIN_QUEUED;
	if (!config || (config->numAttrs && !config->attrs)) because("the configuration is a null pointer");
	if (!config || (config->numAttrs && !config->attrs)) return returned(cudaErrorInvalidValue);
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttributeValue *value = &config->attrs[i].val;
		if (config->attrs[i].id == cudaLaunchAttributeCooperative) cooperative = value->cooperative;
		if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
			cluster = (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
	}
	return returned(launch(function, config, args, cooperative, cluster));
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function) {
	cudaError_t error;
	BEGIN_FOR(out, true);
	const Kernel *k = kernel_of(function, &error);
	if (!k) return returned(error);
	memset(out, 0, sizeof *out);
	out->sharedSizeBytes = k->about.info.static_shared;
	out->constSizeBytes = k->about.info.const_bytes;
	out->localSizeBytes = k->about.info.local_bytes;
	out->maxThreadsPerBlock = (int)k->about.info.max_threads;
	out->numRegs = (int)k->about.info.registers;
	out->ptxVersion = (int)k->about.target;
	out->binaryVersion = (int)facts()->gpu->cc;
	out->maxDynamicSharedSizeBytes =
		(int)(k->dynamic_limit > k->about.info.static_shared ? k->dynamic_limit - k->about.info.static_shared : 0);
	return returned(cudaSuccess);
}

API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
	cudaError_t error;
	BEGIN;
	Kernel *k = kernel_of(function, &error);
	if (!k) return returned(error);
	if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return returned(cudaSuccess);
	if (value < 0 || (size_t)value + k->about.info.static_shared > facts()->gpu->shared_per_block) {
		because("%d bytes and %zu of the kernel's own, and the GPU allows %zu per block", value,
				(size_t)k->about.info.static_shared, (size_t)facts()->gpu->shared_per_block);
		return returned(cudaErrorInvalidValue);
	}
	k->dynamic_limit = (size_t)value + k->about.info.static_shared;
	return returned(cudaSuccess);
}

API cudaError_t param_info(const void *function, size_t i, size_t *offset,
						   size_t *bytes) __asm__("cudaFuncGetParamInfo"); /* older headers do not declare it */
cudaError_t param_info(const void *function, size_t i, size_t *offset, size_t *bytes) {
	cudaError_t error;
	BEGIN;
	const Kernel *k = kernel_of(function, &error);
	if (!k || i >= k->about.nparams) return returned(k ? cudaErrorInvalidValue : error);
	if (offset) *offset = k->about.params[i].offset;
	if (bytes) *bytes = k->about.params[i].size;
	return returned(cudaSuccess);
}

API size_t __cudaGpulabParams(const void *function); /* the driver's (exec/driver/driver.h) */
size_t __cudaGpulabParams(const void *function) {
	cudaError_t error;
	lock();
	const Kernel *k = kernel_of(function, &error);
	const size_t n = k ? k->about.nparams : 0;
	unlock();
	return n;
}

API cudaError_t cudaFuncGetName(const char **out, const void *function) {
	cudaError_t error;
	BEGIN_FOR(out, true);
	const Kernel *k = kernel_of(function, &error);
	if (k) *out = k->name;
	return returned(error);
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
															  size_t shared) {
	cudaError_t error;
	uint64_t n;
	BEGIN_FOR(blocks, true);
	const Kernel *k = kernel_of(function, &error);
	if (!k) return returned(error);
	if (threads <= 0) return returned(cudaErrorInvalidValue);
	blocks_per_sm(k, (uint64_t)threads, shared, &n);
	*blocks = (int)n;
	return returned(cudaSuccess);
}
ALSO(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cudaOccupancyMaxActiveBlocksPerMultiprocessor)

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
														  int threads) {
	cudaError_t error;
	BEGIN_FOR(bytes, true);
	const Kernel *k = kernel_of(function, &error);
	if (!k || blocks <= 0) return returned(k ? cudaErrorInvalidValue : error);
	const size_t each = facts()->gpu->shared_per_sm / (size_t)blocks,
				 taken = k->about.info.static_shared + facts()->gpu->shared_reserved;
	*bytes = each > taken ? each - taken : 0;
	return returned(cudaSuccess);
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static size_t limits[cudaLimitPersistingL2CacheSize + 1] = {
	[cudaLimitStackSize] = 1024, [cudaLimitPrintfFifoSize] = 1 << 20, [cudaLimitMallocHeapSize] = 8 << 20};

API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
	BEGIN_UNSAFE(true);
	if ((size_t)limit >= sizeof limits / sizeof *limits) return returned(cudaErrorInvalidValue);
	limits[limit] = value;
	if (limit == cudaLimitMallocHeapSize) heap_bytes = value;
	return returned(cudaSuccess);
}

API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
	BEGIN_FOR(value, true);
	if ((size_t)limit >= sizeof limits / sizeof *limits) return returned(cudaErrorInvalidValue);
	*value = limits[limit];
	return returned(cudaSuccess);
}
