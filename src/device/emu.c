/* backend.h over the emulator of emu/. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "device/backend.h"
#include "emu/machine.h"

typedef struct {
	PtxModule *ptx; /* NULL: unloaded */
	EmuModule *emu;
} Loaded;

typedef struct {
	Backend base;
	const Gpu *gpu;
	Machine *machine;
	VEC(Loaded) modules; /* number n is modules[n - 1] */
} EmuBackend;

static Loaded *loaded(const EmuBackend *e, uint64_t number, Err *err) {
	if (number >= 1 && number <= e->modules.len && e->modules.data[number - 1].ptx) return &e->modules.data[number - 1];
	err_set(err, ERR_USAGE, "module %llu is not loaded", (unsigned long long)number);
	return NULL;
}

static const EmuKernel *find_kernel(const EmuBackend *e, uint64_t module, const char *name, Err *err) {
	const Loaded *m = loaded(e, module, err);
	const EmuKernel *kernel = m ? emu_kernel(m->emu, name) : NULL;
	if (m && !kernel) err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", name);
	return kernel;
}

static void emu_close(Backend *b) {
	EmuBackend *e = (EmuBackend *)b;
	machine_close(e->machine);
	for (size_t i = 0; i < e->modules.len; i++) ptx_free(e->modules.data[i].ptx);
	vec_free(&e->modules);
	free(e);
}

static bool emu_info(Backend *b, DeviceInfo *out, Err *err) {
	const Gpu *gpu = ((EmuBackend *)b)->gpu;
	DeviceInfo info = {.cc = gpu->cc,
					   .sms = gpu->sms,
					   .l2_bytes = gpu->l2_bytes,
					   .clock_ghz = gpu->shader_ghz,
					   .dram_gbps = gpu->dram_gbps,
					   .threads_per_block = gpu->threads_per_block,
					   .shared_per_block = gpu->shared_per_block,
					   .shared_per_sm = gpu->shared_per_sm,
					   .gpu = gpu,
					   .devices = 1};
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	if (pages > 0 && page > 0)
		info.memory_bytes = (size_t)pages * (size_t)page; /* the host's: there is no other limit */
	snprintf(info.name, sizeof info.name, "emu:%s", gpu->name);
	snprintf(info.backend, sizeof info.backend, "emu");
	snprintf(info.gpu_name, sizeof info.gpu_name, "%s", gpu->name);
	*out = info;
	return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------------ */

static bool emu_alloc(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	return machine_alloc(((EmuBackend *)b)->machine, bytes, name, addr, err);
}

static bool emu_alloc_mapped(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	const EmuBackend *e = (EmuBackend *)b;
	if (e->gpu->mapped_read_gbps > 0) return machine_alloc_mapped(e->machine, bytes, name, addr, err);
	err_set(err, ERR_SETUP, "the %s cannot map host memory", e->gpu->name);
	return err_hint(err, "copy the data to a buffer of its own memory");
}

static bool emu_free(Backend *b, uint64_t addr, Err *err) {
	return machine_release(((EmuBackend *)b)->machine, addr, err);
}

static bool emu_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	return machine_write(((EmuBackend *)b)->machine, addr, data, bytes, err);
}

static bool emu_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	return machine_read(((EmuBackend *)b)->machine, addr, data, bytes, err);
}

static bool emu_fill(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err) {
	enum { PIECE = 1 << 16 };
	uint8_t piece[PIECE];
	memset(piece, byte, sizeof piece);
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < PIECE ? bytes - done : PIECE;
		if (!machine_write(((EmuBackend *)b)->machine, addr + done, piece, n, err)) return false;
	}
	return true;
}

/* --- textures ---------------------------------------------------------------------------------------------------------- */

static bool emu_texture(Backend *b, const TextureDesc *desc, const char *name, uint64_t *number, uint64_t *object,
						Err *err) {
	if (!machine_texture(((EmuBackend *)b)->machine, desc, name, number, err)) return false;
	*object = *number;
	return true;
}

static bool emu_texture_free(Backend *b, uint64_t number, Err *err) {
	return machine_texture_free(((EmuBackend *)b)->machine, number, err);
}

static bool emu_texture_copy(Backend *b, uint64_t number, uint64_t addr, bool into, Err *err) {
	Machine *machine = ((EmuBackend *)b)->machine;
	size_t bytes = 0;
	void *texels = machine_texture_host(machine, number, &bytes);
	if (!texels) return err_set(err, ERR_USAGE, "texture %llu is not there", (unsigned long long)number);
	return into ? machine_read(machine, addr, texels, bytes, err) : machine_write(machine, addr, texels, bytes, err);
}

/* --- modules ----------------------------------------------------------------------------------------------------------- */

static bool emu_load(Backend *b, const Compiled *compiled, uint64_t *module, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	Loaded m = {.ptx = ptx_parse(compiled->ptx, compiled->ptx_bytes, err)};
	if (!m.ptx) return false;
	if (!machine_load(e->machine, m.ptx, &m.emu, err)) {
		ptx_free(m.ptx);
		return false;
	}
	vec_push(&e->modules, m);
	*module = e->modules.len;
	return true;
}

static bool emu_unload(Backend *b, uint64_t module, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	Loaded *m = loaded(e, module, err);
	if (!m) return false;
	machine_unload(e->machine, m->emu);
	ptx_free(m->ptx);
	*m = (Loaded){0};
	return true;
}

static bool emu_symbol_of(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err) {
	const Loaded *m = loaded((EmuBackend *)b, module, err);
	if (!m) return false;
	return emu_symbol(m->emu, name, addr, bytes) || err_set(err, ERR_USAGE, "the module has no variable \"%s\"", name);
}

static size_t space_bytes(PtxVar *const *vars, uint32_t n, PtxSpace space) {
	size_t bytes = 0;
	for (uint32_t i = 0; i < n; i++)
		if (vars[i]->space == space) bytes += vars[i]->bytes;
	return bytes;
}

static bool emu_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const EmuKernel *kernel = find_kernel(e, module, linked_name, err);
	if (!kernel) return false;
	const PtxFunction *f = emu_kernel_function(kernel);
	const PtxModule *ptx = loaded(e, module, NULL)->ptx;
	KernelInfo info = {.registers = emu_kernel_registers(kernel),
					   .registers_estimated = true,
					   .static_shared = emu_kernel_static_shared(kernel),
					   .local_bytes = space_bytes(f->locals, f->nlocals, SPACE_LOCAL),
					   .const_bytes = space_bytes(ptx->globals, ptx->nglobals, SPACE_CONST),
					   .max_threads = e->gpu->threads_per_block,
					   .nparams = f->nparams};
	if (f->max_threads && f->max_threads < info.max_threads) info.max_threads = f->max_threads;
	snprintf(info.name, sizeof info.name, "%s", linked_name);
	*out = info;
	return true;
}

static bool emu_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
						  Occupancy *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const EmuKernel *kernel = find_kernel(e, module, linked_name, err);
	return kernel && gpu_occupancy(e->gpu, threads, emu_kernel_registers(kernel),
								   emu_kernel_static_shared(kernel) + shared, out, err);
}

/* --- launches ---------------------------------------------------------------------------------------------------------- */

static bool allowed(const EmuBackend *e, const EmuKernel *kernel, const LaunchConfig *config, LaunchOutcome *out) {
	Err limit = ERR_INIT;
	const size_t shared = emu_kernel_static_shared(kernel) + config->shared_bytes;
	if (gpu_allows(e->gpu, config->grid, config->block, shared, &limit)) return true;
	*out = (LaunchOutcome){.status = LAUNCH_LIMIT};
	snprintf(out->message, sizeof out->message, "%.400s%s%.100s", limit.what, *limit.hint ? "; " : "", limit.hint);
	return false;
}

bool backend_emu_observe(Backend *b, const BackendLaunch *launch, Observer **observers, size_t nobservers,
						 LaunchOutcome *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const EmuKernel *kernel = find_kernel(e, launch->module, launch->linked_name, err);
	if (!kernel) return false;
	if (!allowed(e, kernel, &launch->config, out)) return true;
	const EmuLaunch call = {.config = launch->config,
							.params = launch->params,
							.param_bytes = launch->param_bytes,
							.observers = observers,
							.nobservers = nobservers,
							.cancel = &device_cancel,
							.print = launch->print,
							.user = launch->user};
	return machine_launch(e->machine, kernel, &call, out, err);
}

void backend_emu_track_fresh(Backend *b, uint64_t addr) {
	machine_track_fresh(((EmuBackend *)b)->machine, addr);
}

Snapshot *backend_emu_snapshot(Backend *b) {
	return snapshot_new(((EmuBackend *)b)->machine);
}

static bool emu_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err) {
	return backend_emu_observe(b, launch, NULL, 0, out, err);
}

static const BackendOps emu_ops = {.name = "emu",
								   .close = emu_close,
								   .info = emu_info,
								   .alloc = emu_alloc,
								   .free = emu_free,
								   .upload = emu_upload,
								   .download = emu_download,
								   .fill = emu_fill,
								   .texture = emu_texture,
								   .texture_free = emu_texture_free,
								   .texture_copy = emu_texture_copy,
								   .load = emu_load,
								   .unload = emu_unload,
								   .symbol = emu_symbol_of,
								   .kernel_info = emu_kernel_info,
								   .occupancy = emu_occupancy,
								   .alloc_mapped = emu_alloc_mapped,
								   .launch = emu_launch};

bool backend_is_emu(const Backend *b) {
	return b->ops == &emu_ops;
}

bool backend_emu_open(const Gpu *gpu, Backend **out, Err *err) {
	(void)err;
	EmuBackend *e = xcalloc(1, sizeof *e);
	e->base.ops = &emu_ops;
	e->gpu = gpu;
	e->machine = machine_open(gpu, 0);
	*out = &e->base;
	return true;
}
