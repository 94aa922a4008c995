/* runtime.h: what the program registers before main, by the code that nvcc wrote for it, and asks for later by
 * address. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/runtime/fatbin.h"
#include "exec/runtime/runtime.h"

static VEC(Module *) modules;
static VEC(Kernel *) kernels;
static VEC(Variable *) variables;
static NumberMap kernel_by_host, variable_by_host; /* to an index + 1; a kernel also by itself, a cudaKernel_t */

/* --- registration ------------------------------------------------------------------------------------------------- */

/* nvcc's __fatBinC_Wrapper_t. */
typedef struct {
	int magic, version;
	const void *data;
	const void *const *objects; /* of WRAPPER_LINKED: a fat binary of each, then NULL */
} FatbinWrapper;
enum { WRAPPER_MAGIC = 0x466243b1, WRAPPER_LINKED = 2 };

API void **__cudaRegisterFatBinary(void *wrapper) {
	const FatbinWrapper *w = wrapper;
	Module *module = xcalloc(1, sizeof *module);
	if (w->magic == WRAPPER_MAGIC) module->fatbin = w->data;
	if (w->magic == WRAPPER_MAGIC && w->version == WRAPPER_LINKED) module->objects = w->objects;
	lock();
	vec_push(&modules, module);
	unlock();
	return (void **)module;
}

/* These are no calls of the program's own. */
API void __cudaRegisterFatBinaryEnd(void **handle) {}
ALSO(__cudaUnregisterFatBinary, __cudaRegisterFatBinaryEnd)

static Kernel *add_kernel(Module *module, const void *host, const char *name) {
	Kernel *kernel = xcalloc(1, sizeof *kernel);
	*kernel = (Kernel){.host = host, .name = name, .module = module, .dynamic_limit = DEFAULT_SHARED};
	vec_push(&kernels, kernel);
	*number_map_at(&kernel_by_host, (uint64_t)(uintptr_t)host) = kernels.len;
	*number_map_at(&kernel_by_host, (uint64_t)(uintptr_t)kernel) = kernels.len;
	return kernel;
}

API void __cudaRegisterFunction(void **handle, const char *host, char *device_function, const char *name, int limit,
								uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp) {
	lock();
	add_kernel((Module *)handle, host, name);
	unlock();
}

static Variable *add_variable(void **handle, const void *host, const char *name, size_t size, int constant) {
	Variable *v = xcalloc(1, sizeof *v);
	*v = (Variable){.host = host, .name = name, .module = (Module *)handle, .bytes = size, .constant = constant};
	lock();
	vec_push(&variables, v);
	*number_map_at(&variable_by_host, (uint64_t)(uintptr_t)host) = variables.len;
	unlock();
	return v;
}

API void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name, int ext, size_t size,
						   int constant, int global) {
	add_variable(handle, host, name, size, constant);
}

/* *host is how the program reaches it. nvcc's code calls __cudaInitModule before its first access. */
API void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name, int ext,
								  size_t size, int constant, int global) {
	Variable *v = add_variable(handle, host, name, size, constant);
	v->managed = true;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* How much of the program's memory can be read from there on: a damaged header may promise more. */
static size_t readable_from(const void *at) {
	const uintptr_t from = (uintptr_t)at;
	uintptr_t end = from, low, high;
	char access;
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps) return SIZE_MAX;
	while (fscanf(maps, "%" SCNxPTR "-%" SCNxPTR " %c%*[^\n]", &low, &high, &access) == 3)
		if (low <= end && end < high && access == 'r') end = high;
	fclose(maps);
	return end - from;
}

/* nvlink leaves SASS alone (-rdc=true), and beside it the PTX of each object, for a driver that links again. The device
 * runtime is such an object as well; kernels that call it are refused when they are launched. */
static char *linked_ptx(const Module *m, const char **why) {
	const size_t most = readable_from(m->objects) / sizeof *m->objects;
	char *ptx = NULL;
	*why = "the program has no PTX, only SASS, which the emulator cannot run; compile with -arch=sm_80";
	for (size_t i = 0; i < most && m->objects[i]; i++) {
		const size_t bytes = readable_from(m->objects[i]);
		char *own = fatbin_ptx(m->objects[i], bytes, facts()->gpu->cc, why);
		const bool left_out = !own || strstr(own, "_cuda_device_runtime_cu_");
		if (left_out)
			free(own);
		else if (!ptx)
			ptx = own;
		else {
			*why =
				"the program's device code was linked of more than one file (-rdc=true), which the emulator cannot do; "
				"put what kernels call into the file that has them, and compile without -rdc";
			free(own);
			free(ptx);
			return NULL;
		}
	}
	return ptx;
}

static char *ptx_of(Module *m) {
	if (m->ptx) return xstrdup(m->ptx);
	if (m->objects) return linked_ptx(m, &m->why);
	return m->fatbin ? fatbin_ptx(m->fatbin, m->bytes, facts()->gpu->cc, &m->why) : NULL;
}

static cudaError_t load(Module *m) {
	Number number;
	if (m->number) return cudaSuccess;
	if (!m->tried) {
		if (m->fatbin && !m->bytes) m->bytes = readable_from(m->fatbin);
		char *ptx = ptx_of(m);
		m->tried = true;
		if (!ptx && !m->fatbin) m->why = "the device code has a format that is not known";
		if (!ptx) stop(m->why);
		ModuleCode code = {.ptx = ptx};
		char *cubin = m->fatbin ? fatbin_cubin(m->fatbin, m->bytes, facts()->gpu->cc, &code.cubin_bytes) : NULL;
		code.cubin = cubin;
		if (ask(EXEC_load, &code, &number))
			m->number = number.value;
		else if (m->ptx) /* the program's own */
			fprintf(stderr, "gpulab: %s\n", problem());
		else
			stop(problem());
		free(cubin);
		free(ptx);
	}
	return m->number ? cudaSuccess : m->ptx ? cudaErrorInvalidPtx : cudaErrorInvalidKernelImage;
}

static cudaError_t look_up_kernel(Kernel *k) {
	const cudaError_t error = load(k->module);
	if (error != cudaSuccess) return error;
	if (!ask(EXEC_kernel, &(SymbolRequest){k->module->number, k->name}, &k->about)) {
		fprintf(stderr, "gpulab: kernel %s: %s\n", k->name, problem());
		return cudaErrorInvalidDeviceFunction;
	}
	const ParamPlace *params = k->about.params; /* as long as the answer */
	k->about.params = xcalloc(k->about.nparams + 1, sizeof *params);
	if (k->about.nparams) memcpy(k->about.params, params, k->about.nparams * sizeof *params);
	k->known = true;
	return cudaSuccess;
}

static Kernel *find_kernel(const void *host) {
	const uint64_t i = number_map_get(&kernel_by_host, (uint64_t)(uintptr_t)host);
	return i ? kernels.data[i - 1] : NULL;
}

Kernel *kernel_of(const void *host, cudaError_t *error) {
	Kernel *k = find_kernel(host);
	*error = !k ? cudaErrorInvalidDeviceFunction : k->known ? cudaSuccess : look_up_kernel(k);
	return *error == cudaSuccess ? k : NULL;
}

static cudaError_t look_up_variable(Variable *v) {
	SymbolPlace place;
	const cudaError_t error = load(v->module);
	if (error != cudaSuccess) return error;
	if (!ask(EXEC_variable, &(SymbolRequest){v->module->number, v->name}, &place)) return cudaErrorInvalidSymbol;
	v->addr = place.addr;
	if (place.bytes < v->bytes) v->bytes = place.bytes;
	v->known = true;
	block_note(place.addr, place.bytes);
	return cudaSuccess;
}

Variable *variable_of(const void *host, cudaError_t *error) {
	const uint64_t i = number_map_get(&variable_by_host, (uint64_t)(uintptr_t)host);
	Variable *v = i ? variables.data[i - 1] : NULL;
	for (size_t k = 0; !v && k < variables.len; k++) /* a managed one is named by where it is */
		if (variables.data[k]->managed && variables.data[k]->copy == host) v = variables.data[k];
	if (!v) because("it is no variable of the device: pass the variable itself, not its address or its name as text");
	*error = !v ? cudaErrorInvalidSymbol : v->known ? cudaSuccess : look_up_variable(v);
	return *error == cudaSuccess ? v : NULL;
}

const char *variable_name(const void *host) {
	const uint64_t i = number_map_get(&variable_by_host, (uint64_t)(uintptr_t)host);
	return i ? variables.data[i - 1]->name : NULL;
}

API cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host) {
	lock();
	Kernel *k = find_kernel(host);
	if (!out) return returned(nowhere());
	if (k) *out = (cudaKernel_t)k;
	return returned(k ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
ALSO(cudaGetKernel, __cudaGetKernel)
ALSO(cudaGetFuncBySymbol, __cudaGetKernel)

/* --- libraries: modules that the program loads itself -----------------------------------------------------------*/

/* The headers of older toolkits do not declare these; enumerations and handles are of their size here. */
API cudaError_t library_load(void **out, const void *code, void *options, void **values, unsigned noptions,
							 void *library_options, void **library_values,
							 unsigned nlibrary_options) __asm__("cudaLibraryLoadData");
API cudaError_t library_load_file(void **out, const char *path, void *options, void **values, unsigned noptions,
								  void *library_options, void **library_values,
								  unsigned nlibrary_options) __asm__("cudaLibraryLoadFromFile");
API cudaError_t library_kernel(void **out, void *library, const char *name) __asm__("cudaLibraryGetKernel");
API cudaError_t library_variable(void **out, size_t *bytes, void *library,
								 const char *name) __asm__("cudaLibraryGetGlobal");

static bool starts_with(const char *code, size_t bytes, const void *magic) {
	return bytes >= 4 && memcmp(code, magic, 4) == 0;
}

/* A fat binary, its wrapper, or PTX, which the module keeps a copy of. SASS alone (an ELF file) cannot be run. NULL:
 * none of them. */
static Module *module_of(const void *code, size_t bytes) {
	FatbinWrapper w = {0};
	Module m = {0};
	if (bytes >= sizeof w && starts_with(code, bytes, &(int){WRAPPER_MAGIC}))
		memcpy(&w, code, sizeof w), m.fatbin = w.data;
	else if (starts_with(code, bytes, "\177ELF") || fatbin_is(code, bytes))
		m.fatbin = code, m.bytes = bytes;
	else if (memmem(code, strnlen(code, bytes), ".version", strlen(".version")))
		m.ptx = strndup(code, bytes);
	else
		return NULL;
	vec_push(&modules, xcalloc(1, sizeof m));
	*vec_last(&modules) = m;
	return vec_last(&modules);
}

static cudaError_t load_library(void **out, const void *code, size_t bytes) {
	BEGIN;
	Module *m = module_of(code, bytes);
	*out = m;
	return returned(m ? load(m) : cudaErrorInvalidKernelImage);
}

cudaError_t library_load(void **out, const void *code, void *options, void **values, unsigned noptions,
						 void *library_options, void **library_values, unsigned nlibrary_options) {
	return out && code ? load_library(out, code, readable_from(code)) : cudaErrorInvalidValue;
}

cudaError_t library_load_file(void **out, const char *path, void *options, void **values, unsigned noptions,
							  void *library_options, void **library_values, unsigned nlibrary_options) {
	enum { CODE_MOST = 256 << 20 };
	size_t bytes;
	Err err = ERR_INIT;
	char *code = out && path ? file_read(path, CODE_MOST, &bytes, &err) : NULL; /* the module keeps it */
	return code ? load_library(out, code, bytes) : path ? cudaErrorFileNotFound : cudaErrorInvalidValue;
}

NOTHING(cudaLibraryUnload)

cudaError_t library_kernel(void **out, void *library, const char *name) {
	BEGIN;
	if (!out || !library || !name) return returned(cudaErrorInvalidValue);
	Kernel *k = add_kernel(library, NULL, xstrdup(name));
	*out = k;
	return returned(look_up_kernel(k) == cudaSuccess ? cudaSuccess : cudaErrorSymbolNotFound);
}

cudaError_t library_variable(void **out, size_t *bytes, void *library, const char *name) {
	BEGIN;
	if (!library || !name) return returned(cudaErrorInvalidValue);
	Variable v = {.name = name, .module = library, .bytes = SIZE_MAX};
	if (look_up_variable(&v) != cudaSuccess) return returned(cudaErrorSymbolNotFound);
	if (out) *out = (void *)(uintptr_t)v.addr;
	if (bytes) *bytes = v.bytes;
	return returned(cudaSuccess);
}

/* --- managed variables -------------------------------------------------------------------------------------------- */

static void make_managed(Variable *v) {
	void *at = NULL;
	cudaError_t error;
	if (!variable_of(v->host, &error) || block_of_variable(v->name, v->bytes, &at) != cudaSuccess) return;
	v->copy = at;
	copy_bytes(at, (void *)(uintptr_t)v->addr, v->bytes, cudaMemcpyDeviceToHost);
	*(void **)(uintptr_t)v->host = at;
}

API char __cudaInitModule(void **handle) {
	lock();
	for (size_t i = 0; i < variables.len; i++) {
		Variable *v = variables.data[i];
		if (v->managed && !v->copy && v->module == (Module *)handle) make_managed(v);
	}
	unlock();
	return 1;
}

/* It is a way to show one content in both places, and no access of the stream that runs the kernel. */
static void copy_managed(enum cudaMemcpyKind kind) {
	order_hide(true);
	for (size_t i = 0; i < variables.len; i++) {
		const Variable *v = variables.data[i];
		void *there = (void *)(uintptr_t)v->addr;
		const bool to_device = kind == cudaMemcpyHostToDevice;
		if (v->copy) copy_bytes(to_device ? there : v->copy, to_device ? v->copy : there, v->bytes, kind);
	}
	order_hide(false);
}

void managed_to_device(void) {
	for (size_t i = 0; facts()->early && i < variables.len; i++) /* to be watched from the first launch on */
		if (variables.data[i]->managed && !variables.data[i]->copy) make_managed(variables.data[i]);
	copy_managed(cudaMemcpyHostToDevice);
}

void managed_from_device(void) {
	copy_managed(cudaMemcpyDeviceToHost);
}

uint64_t managed_copy(uint64_t addr) {
	for (size_t i = 0; i < variables.len; i++) {
		const Variable *v = variables.data[i];
		if (v->copy && addr - v->addr < v->bytes) return (uint64_t)(uintptr_t)v->copy + (addr - v->addr);
	}
	return addr;
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

cudaError_t at_symbol(const void *symbol, size_t bytes, size_t offset, void **out) {
	cudaError_t error;
	const Variable *v = variable_of(symbol, &error);
	if (!v) return error;
	if (offset > v->bytes || bytes > v->bytes - offset) {
		because("%zu bytes from byte %zu on, but the variable %s has %zu", bytes, offset, v->name, v->bytes);
		return cudaErrorInvalidValue;
	}
	*out = v->copy ? v->copy + offset : (void *)(uintptr_t)(v->addr + offset);
	return cudaSuccess;
}

CALL(cudaGetSymbolAddress, (void **out, const void *symbol), out ? at_symbol(symbol, 0, 0, out) : nowhere())

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
	cudaError_t error;
	BEGIN_FOR(bytes, true);
	const Variable *v = variable_of(symbol, &error);
	if (v) *bytes = v->bytes;
	return returned(error);
}
