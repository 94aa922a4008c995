/* device.h: opening, closing, and the fresh start after a worker died. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "device/internal.h"
#include "device/unavailable.h"

atomic_bool device_cancel;

/* --- open and close ------------------------------------------------------------------------------------------------ */

/* Without the driver's library there is no use in starting a worker. */
static bool cuda_driver_there(Err *err) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (driver) {
		dlclose(driver);
		return true;
	}
	err_set(err, ERR_SETUP, "no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded)");
	return err_hint(err, "install the NVIDIA driver, or use the emulator: --device emu");
}

/* "emu", "emu:", "emu:GTX 280" */
static const Gpu *emu_gpu(const char *name, Err *err) {
	const char *model = name + strlen("emu");
	if (*model == ':') model++;
	return *model ? gpu_find(model, err) : gpu_default();
}

static bool is_emu_name(const char *name) {
	return strcmp(name, "emu") == 0 || text_starts(name, "emu:");
}

static bool open_backend(const char *name, Backend **out, Err *err) {
	if (is_emu_name(name)) {
		const Gpu *gpu = emu_gpu(name, err);
		return gpu && backend_emu_open(gpu, out, err);
	}
	if (text_starts(name, "worker:")) return backend_proxy_open(name + strlen("worker:"), out, err);
	int ordinal;
	if (strcmp(name, "cuda") == 0) name = "cuda:0";
	if (text_starts(name, "cuda:"))
		return gpu_ordinal(name, &ordinal, err) && cuda_driver_there(err) && backend_proxy_open(name, out, err);
	err_set(err, ERR_SETUP, "there is no device \"%s\"", name);
	return err_hint(err, "devices are cuda:0, cuda:1, ..., emu, emu:GPU (as in \"emu:GTX 280\") and auto");
}

static bool open_named(const char *name, Device **out, Err *err) {
	Backend *backend;
	DeviceInfo info = {0};
	if (!open_backend(name, &backend, err)) return false;
	if (!backend->ops->info(backend, &info, err)) {
		backend->ops->close(backend);
		return false;
	}
	Device *device = xcalloc(1, sizeof *device);
	device->backend = backend;
	device->info = info;
	device->exact = strcmp(info.backend, "emu") == 0;
	device->filled = true;
	snprintf(device->info.name, sizeof device->info.name, "%s", strcmp(name, "cuda") == 0 ? "cuda:0" : name);
	*out = device;
	return true;
}

bool device_open(const char *name, Device **out, Err *err) {
	if (strcmp(name, "auto") != 0) return open_named(name, out, err);
	Err no_gpu = ERR_INIT;
	if (!cuda_driver_there(NULL)) return open_named("emu", out, err);
	if (open_named("cuda:0", out, &no_gpu)) return true;
	if (!open_named("emu", out, err)) return false;
	snprintf((*out)->info.without_gpu, sizeof(*out)->info.without_gpu, "%.239s", no_gpu.what);
	return true;
}

void device_close(Device *device) {
	if (!device) return;
	while (device->modules) device_unload(device, device->modules);
	twin_close(device);
	for (size_t i = 0; i < device->slots.len; i++) slot_release(&device->slots.data[i]);
	vec_free(&device->slots);
	vec_free(&device->pristine);
	device->backend->ops->close(device->backend); /* frees its memory */
	free(device);
}

const DeviceInfo *device_info(const Device *device) {
	return &device->info;
}

bool device_can_time(const Device *device) {
	return device->info.can_time;
}

/* --- what is here -------------------------------------------------------------------------------------------------- */

typedef VEC(DeviceInfo) InfoList;

/* A GPU that is there and cannot be had: its name, and why. */
static DeviceInfo without(const char *name, const Err *err) {
	DeviceInfo info = {.backend = "cuda"};
	snprintf(info.name, sizeof info.name, "%s", name);
	snprintf(info.without_gpu, sizeof info.without_gpu, "%.239s", err->what);
	return info;
}

/* The first one that opens tells how many there are; until then only the next is tried: starting a worker takes a while. */
static void list_gpus(InfoList *list) {
	uint32_t count = 2;
	bool told = false;
	if (!cuda_driver_there(NULL)) return;
	for (uint32_t i = 0; i < count; i++) {
		char name[16];
		Device *device;
		Err err = ERR_INIT;
		snprintf(name, sizeof name, "cuda:%u", i);
		if (!open_named(name, &device, &err)) {
			if (i == 0 || told) vec_push(list, without(name, &err));
			continue;
		}
		count = device->info.devices;
		told = true;
		vec_push(list, device->info);
		device_close(device);
	}
}

static void list_emulated(InfoList *list) {
	const Gpu *gpu;
	for (size_t i = 0; (gpu = gpu_at(i)); i++) {
		char name[64];
		Device *device;
		snprintf(name, sizeof name, "emu:%s", gpu->name);
		if (!open_named(name, &device, NULL)) continue;
		vec_push(list, device->info);
		device_close(device);
	}
}

DeviceInfo *device_list(size_t *count) {
	InfoList list = {0};
	list_gpus(&list);
	list_emulated(&list);
	*count = list.len;
	return list.data;
}

/* --- a worker that died ---------------------------------------------------------------------------------------------- */

bool device_check_alive(Device *device) {
	const BackendOps *ops = device->backend->ops;
	if (device->filled && (!ops->alive || ops->alive(device->backend))) return true;
	if (device->filled) {
		device->filled = false;
		for (size_t i = 0; i < device->slots.len; i++)
			if (device->slots.data[i].live) slot_lost(&device->slots.data[i]);
		pristine_lost(device);
		digester_lost(device);
		for (DeviceModule *m = device->modules; m; m = m->next) {
			symbols_lost(m);
			m->loaded = false;
		}
	}
	return false;
}

bool device_try_again(Device *device, const Err *err) {
	return err->kind != ERR_INTERRUPTED && !device_check_alive(device);
}

static bool fill_again(Device *device, Err *err) {
	for (DeviceModule *m = device->modules; m; m = m->next)
		if (!module_load_again(device, m, err)) return false;
	for (size_t i = 0; i < device->slots.len; i++)
		if (device->slots.data[i].live && !slot_fill_again(device, &device->slots.data[i], err)) return false;
	return true;
}

/* A start that broke off halfway leaves filled false: the next operation starts again from nothing. */
bool device_ready(Device *device, Err *err) {
	if (device_check_alive(device)) return true;
	Backend *b = device->backend;
	if (!b->ops->restart) return err_set(err, ERR_SETUP, "the device %s stopped working", device->info.name);
	for (size_t i = 0; i < device->slots.len; i++) device->slots.data[i].base = device->slots.data[i].addr = 0;
	if (!b->ops->restart(b, err) || !fill_again(device, err)) return false;
	device->filled = true;
	return true;
}
