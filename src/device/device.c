/* device.h: opening, closing, and what there is to open. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "device/backend/unavailable.h"
#include "device/contents/contents.h"

/* --- open and close ----------------------------------------------------------------------------------------------- */

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

/* An emulator's worker gets ready while the prompt goes on. */
static bool open_backend(const char *name, Backend **out, DeviceInfo *info, Err *err) {
	const Gpu *gpu;
	int ordinal;
	if (text_starts(name, "cuda:") && (!gpu_ordinal(name, &ordinal, err) || !cuda_driver_there(err))) return false;
	if (!backend_named_open(name, out, &gpu, err)) return false;
	if (gpu) {
		*info = emu_info(gpu);
		return true;
	}
	if ((*out)->ops->info(*out, info, err)) return true;
	(*out)->ops->close(*out);
	return false;
}

static bool device_of(const char *name, Backend *backend, const DeviceInfo *info, Device **out) {
	Device *device = xcalloc(1, sizeof *device);
	device->main = (Side){.backend = backend, .guards = !(info->can & CAN_LOCATE)};
	device->info = *info;
	device->filled = true;
	snprintf(device->info.name, sizeof device->info.name, "%s", name);
	*out = device;
	return true;
}

static bool open_named(const char *name, Device **out, Err *err) {
	Backend *backend;
	DeviceInfo info = {0};
	if (strcmp(name, "cuda") == 0) name = "cuda:0";
	if (text_starts(name, "worker:emu")) name += strlen("worker:");
	return open_backend(name, &backend, &info, err) && device_of(name, backend, &info, out);
}

bool device_open_place(const DevicePlace *place, Device **out, Err *err) {
	Backend *backend;
	DeviceInfo info;
	if (!backend_remote_open(place, &backend, err)) return false;
	if (backend->ops->info(backend, &info, err)) return device_of(place->name, backend, &info, out);
	backend->ops->close(backend);
	return false;
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

bool device_ask(Device *device, Err *err) {
	Backend *b = device->main.backend;
	return !b->ops->ask || b->ops->ask(b, err);
}

bool device_asked(Device *device, DeviceAsked *out, Err *err) {
	Backend *b = device->main.backend;
	*out = (DeviceAsked){.here = true};
	return !b->ops->asked || b->ops->asked(b, out, err);
}

void device_take_back(Device *device) {
	Backend *b = device->main.backend;
	if (b->ops->take_back) b->ops->take_back(b);
}

void device_close(Device *device) {
	if (!device) return;
	while (device->modules) device_unload(device, device->modules);
	shadow_close(device);
	past_forget(device);
	for (size_t i = 0; i < device->slots.len; i++) slot_release(device, &device->slots.data[i]);
	vec_free(&device->slots);
	vec_free(&device->freed);
	ordered_free(&device->unused);
	vec_free(&device->cache);
	device->main.backend->ops->close(device->main.backend); /* frees its memory */
	free(device);
}

const DeviceInfo *device_info(const Device *device) {
	return &device->info;
}

/* --- the GPU's lock ----------------------------------------------------------------------------------------------- */

bool device_lock(Device *device, const LockWait *wait, GpuLock *out, Err *err) {
	Backend *b = device->main.backend;
	if (!b->ops->lock) {
		if (gpu_lock_take(device->info.bus, wait, out)) return true;
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	}
	*out = (GpuLock){.fd = -1};
	if (!device_ready(device, err) || !b->ops->lock(b, &out->waited_s, out->without, sizeof out->without, err))
		return false;
	out->elsewhere = true;
	return true;
}

void device_unlock(Device *device, GpuLock *lock) {
	Backend *b = device->main.backend;
	if (lock->elsewhere && b->ops->unlock) b->ops->unlock(b);
	lock->elsewhere = false;
	gpu_lock_release(lock);
}

/* --- what is here ------------------------------------------------------------------------------------------------- */

typedef VEC(DeviceInfo) InfoList;

/* A GPU that is there and cannot be had: its name, and why. */
static DeviceInfo without(const char *name, const Err *err) {
	DeviceInfo info = {.backend = "cuda"};
	snprintf(info.name, sizeof info.name, "%s", name);
	snprintf(info.without_gpu, sizeof info.without_gpu, "%.239s", err->what);
	return info;
}

/* The first one that opens reports how many exist; until then only the next is tried: starting a worker takes a
 * while. */
static void list_gpus(InfoList *list) {
	uint32_t count = 2;
	bool reported = false;
	if (!cuda_driver_there(NULL)) return;
	for (uint32_t i = 0; i < count; i++) {
		char name[16];
		Device *device;
		Err err = ERR_INIT;
		snprintf(name, sizeof name, "cuda:%u", i);
		if (!open_named(name, &device, &err)) {
			if (i == 0 || reported) vec_push(list, without(name, &err));
			continue;
		}
		count = device->info.devices;
		reported = true;
		vec_push(list, device->info);
		device_close(device);
	}
}

/* One worker reports the sandbox that all have. */
static void list_emulated(InfoList *list) {
	const Gpu *gpu;
	Backend *backend;
	DeviceInfo known = {0}, opened;
	if (open_backend("emu", &backend, &known, NULL)) {
		if (backend->ops->info(backend, &opened, NULL)) memcpy(known.sandbox, opened.sandbox, sizeof known.sandbox);
		backend->ops->close(backend);
	}
	for (size_t i = 0; (gpu = gpu_at(i)); i++) {
		DeviceInfo info = emu_info(gpu);
		memcpy(info.sandbox, known.sandbox, sizeof info.sandbox);
		vec_push(list, info);
	}
}

DeviceInfo *device_list(size_t *count) {
	InfoList list = {0};
	list_gpus(&list);
	list_emulated(&list);
	*count = list.len;
	return list.data;
}
