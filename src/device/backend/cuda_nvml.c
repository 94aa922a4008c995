/* cuda.h: what the management library that comes with the driver knows of a GPU. Loaded by its name alone; without it
 * nothing is missed but these figures. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "device/backend/cuda.h"

typedef struct NvmlDevice *Handle;

typedef struct {
	unsigned pid;
	unsigned long long used;
	unsigned instance, compute_instance;
} Process;

enum { SENSOR_GPU = 0, MOST_PROCESSES = 64 };

/* clang-format off */
#define NVML_FUNCTIONS(F) \
	F(init, "nvmlInit_v2", int (*)(void)) \
	F(driver, "nvmlSystemGetDriverVersion", int (*)(char *, unsigned)) \
	F(by_bus, "nvmlDeviceGetHandleByPciBusId_v2", int (*)(const char *, Handle *)) \
	F(temperature, "nvmlDeviceGetTemperature", int (*)(Handle, int, unsigned *)) \
	F(processes, "nvmlDeviceGetComputeRunningProcesses_v3", int (*)(Handle, unsigned *, Process *))
/* clang-format on */

/* Stays loaded as long as the worker lives. A function this driver does not have is NULL. */
static struct {
	bool tried, there;
#define F(name, symbol, type) __typeof__((type)0) name;
	NVML_FUNCTIONS(F)
#undef F
} nvml;

static bool ready(void) {
	if (nvml.tried) return nvml.there;
	nvml.tried = true;
	void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!library) return false;
#define F(name, symbol, type) *(void **)&nvml.name = dlsym(library, symbol);
	NVML_FUNCTIONS(F)
#undef F
	nvml.there = nvml.init && nvml.init() == 0;
	return nvml.there;
}

static bool handle_of(const char *bus, Handle *out) {
	return *bus && ready() && nvml.by_bus && nvml.by_bus(bus, out) == 0;
}

void cuda_nvml_driver(char *out, size_t size) {
	char text[96];
	if (ready() && nvml.driver && nvml.driver(text, sizeof text) == 0 && strlen(text) < size)
		snprintf(out, size, "%.31s", text);
}

double cuda_nvml_temperature(const char *bus) {
	Handle handle;
	unsigned degrees;
	if (!handle_of(bus, &handle) || !nvml.temperature || nvml.temperature(handle, SENSOR_GPU, &degrees) != 0) return 0;
	return degrees;
}

size_t cuda_nvml_processes(const char *bus, uint32_t *pids, size_t most) {
	Handle handle;
	Process found[MOST_PROCESSES];
	unsigned n = MOST_PROCESSES;
	if (!handle_of(bus, &handle) || !nvml.processes || nvml.processes(handle, &n, found) != 0) return 0;
	size_t kept = 0;
	for (; kept < n && kept < most; kept++) pids[kept] = found[kept].pid;
	return kept;
}
