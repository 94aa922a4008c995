/* The machine: its memory, and modules loaded into it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "emu/machine/internal.h"

Machine *machine_open(const Gpu *gpu, unsigned threads) {
	Machine *m = xcalloc(1, sizeof *m);
	m->gpu = gpu;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	m->threads = threads ? threads : cores > 0 ? (unsigned)cores : 1;
	if (m->threads > MOST_HOST_THREADS) m->threads = MOST_HOST_THREADS;
	m->memory = memory_new(0);
	m->textures = textures_new();
	return m;
}

void machine_close(Machine *m) {
	if (!m) return;
	while (m->modules) machine_unload(m, m->modules);
	memory_free(m->memory);
	textures_free(m->textures);
	free(m);
}

const Gpu *machine_gpu(const Machine *m) {
	return m->gpu;
}
Memory *machine_memory(const Machine *m) {
	return m->memory;
}
Textures *machine_textures(const Machine *m) {
	return m->textures;
}
void machine_keep_registers(Machine *m, bool on) {
	m->keeps_registers = on;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool allocate(Machine *m, AllocKind kind, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	const Allocation *a = memory_add(m->memory, kind, bytes, name, err);
	if (!a) return false;
	*addr = a->base;
	return true;
}

bool machine_alloc(Machine *m, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	return allocate(m, ALLOC_BUFFER, bytes, name, addr, err);
}

bool machine_alloc_mapped(Machine *m, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	return allocate(m, ALLOC_MAPPED, bytes, name, addr, err);
}

bool machine_alloc_over(Machine *m, size_t bytes, const char *name, bool mapped, void *host, uint64_t again,
						uint64_t *addr, Err *err) {
	const Allocation *a =
		memory_add_over(m->memory, mapped ? ALLOC_MAPPED : ALLOC_BUFFER, bytes, name, host, again, err);
	if (!a) return false;
	*addr = a->base;
	return true;
}

bool machine_release(Machine *m, uint64_t addr, Err *err) {
	return memory_release(m->memory, addr, err);
}

static Allocation *range(Machine *m, uint64_t addr, size_t bytes) {
	Allocation *a = memory_find(m->memory, addr);
	return a && !a->freed && bytes <= a->bytes - (addr - a->base) ? a : NULL;
}

void *machine_host(Machine *m, uint64_t addr, size_t bytes) {
	Allocation *a = range(m, addr, bytes);
	return a ? a->host + (addr - a->base) : NULL;
}

static bool no_range(uint64_t addr, size_t bytes, Err *err) {
	return err_set(err, ERR_USAGE, "%zu bytes at 0x%llx are not inside one allocation", bytes,
				   (unsigned long long)addr);
}

bool machine_write(Machine *m, uint64_t addr, const void *data, size_t bytes, Err *err) {
	if (!bytes) return true;
	Allocation *a = range(m, addr, bytes);
	if (!a) return no_range(addr, bytes, err);
	memcpy(a->host + (addr - a->base), data, bytes);
	allocation_mark(a, addr - a->base, bytes);
	return true;
}

void machine_mark_written(Machine *m, uint64_t addr, size_t bytes) {
	Allocation *a = range(m, addr, bytes);
	if (a) allocation_mark(a, addr - a->base, bytes);
}

bool machine_read(Machine *m, uint64_t addr, void *data, size_t bytes, Err *err) {
	if (!bytes) return true;
	const Allocation *a = range(m, addr, bytes);
	if (!a) return no_range(addr, bytes, err);
	memcpy(data, a->host + (addr - a->base), bytes);
	return true;
}

void machine_track_fresh(Machine *m, uint64_t addr) {
	Allocation *a = range(m, addr, 0);
	if (a && a->base == addr) memory_track_fresh(m->memory, a);
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

bool machine_texture(Machine *m, const TextureDesc *desc, const char *name, uint64_t *handle, Err *err) {
	const Texture *t = texture_add(m->textures, desc, name, err);
	if (t) *handle = t->handle;
	return t != NULL;
}

bool machine_texture_free(Machine *m, uint64_t handle, Err *err) {
	return texture_release(m->textures, handle, err);
}

void *machine_texture_host(Machine *m, uint64_t handle, size_t *bytes) {
	const Texture *t = texture_of(m->textures, handle);
	if (t && bytes) *bytes = t->bytes;
	return t ? t->host : NULL;
}
