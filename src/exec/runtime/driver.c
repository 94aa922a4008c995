/* The functions of the driver that programs ask the runtime for: those of our libcuda.so.1 (exec/driver). */
#include <dlfcn.h>

#include "exec/runtime/runtime.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static cudaError_t entry(const char *symbol, void **function, int version,
						 enum cudaDriverEntryPointQueryResult *status) {
	int (*find)(const char *, void **, int, uint64_t, int *) = NULL;
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
	if (!symbol || !function) return cudaErrorInvalidValue;
	*function = NULL;
	if (driver) *(void **)&find = dlsym(driver, "cuGetProcAddress_v2");
	const bool known = find && find(symbol, function, version, 0, NULL) == 0;
	if (status) *status = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return known ? cudaSuccess : cudaErrorSymbolNotFound;
}

API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
												 unsigned long long flags,
												 enum cudaDriverEntryPointQueryResult *status) {
	BEGIN;
	(void)flags;
	return returned(entry(symbol, function, (int)version, status));
}

API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
										enum cudaDriverEntryPointQueryResult *status) {
	BEGIN;
	(void)flags;
	return returned(entry(symbol, function, CUDART_VERSION, status));
}

ALSO(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion)
ALSO(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint)

API cudaError_t __cudaGpulabRefused(cudaError_t error, const char *why); /* the driver's (exec/driver/driver.h) */
cudaError_t __cudaGpulabRefused(cudaError_t error, const char *why) {
	BEGIN;
	because("%s", why);
	return returned(error);
}
