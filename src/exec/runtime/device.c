/* The runtime's functions for devices: there is one, the emulated GPU. See runtime.h. */
#include <stdio.h>
#include <string.h>

#include "exec/runtime/properties.h"
#include "exec/runtime/runtime.h"

enum { RUNTIME_VERSION = 13000, CONST_BYTES = 64 << 10, DEFAULT_SHARED = 48 << 10, PCI_BUS = 1 };

/* --- which -------------------------------------------------------------------------------------------------------- */

API cudaError_t cudaGetDeviceCount(int *count) {
	lock();
	facts();
	*count = 1;
	return returned(cudaSuccess);
}

API cudaError_t cudaGetDevice(int *device) {
	*device = 0;
	return cudaSuccess;
}
ALSO(cudaChooseDevice, cudaGetDevice)
ALSO(cudaDeviceGetByPCIBusId, cudaGetDevice)

static cudaError_t the_only(int device) {
	lock();
	return returned(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

API cudaError_t cudaSetDevice(int device) {
	return the_only(device);
}
ALSO(cudaInitDevice, cudaSetDevice)

API cudaError_t cudaSetValidDevices(int *devices, int count) {
	return count > 0 ? the_only(devices[0]) : cudaSuccess;
}

static unsigned device_flags;

API cudaError_t cudaSetDeviceFlags(unsigned flags) {
	device_flags = flags;
	return cudaSuccess;
}

API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
	*flags = device_flags | cudaDeviceMapHost;
	return cudaSuccess;
}

API cudaError_t cudaDeviceSynchronize(void) {
	BEGIN;
	return returned(queue_late());
}
ALSO(cudaThreadSynchronize, cudaDeviceSynchronize)

API cudaError_t cudaDeviceReset(void) {
	cudaError_t error;
	lock();
	queue_finish();
	if (!device_lost(&error)) blocks_reset();
	return returned(cudaSuccess);
}
ALSO(cudaThreadExit, cudaDeviceReset)

API cudaError_t cudaRuntimeGetVersion(int *version) {
	*version = RUNTIME_VERSION;
	return cudaSuccess;
}
ALSO(cudaDriverGetVersion, cudaRuntimeGetVersion)

/* --- caches: an emulator's are as the GPU's are by default -------------------------------------------------------- */

NOTHING(cudaCtxResetPersistingL2Cache)
NOTHING(cudaDeviceSetCacheConfig)
NOTHING(cudaDeviceSetSharedMemConfig)
NOTHING(cudaFuncSetCacheConfig)
NOTHING(cudaFuncSetSharedMemConfig)
NOTHING(cudaThreadSetCacheConfig)
NOTHING(cudaProfilerStart)
NOTHING(cudaProfilerStop)

API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
	*config = cudaFuncCachePreferNone;
	return cudaSuccess;
}

API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
	*config = cudaSharedMemBankSizeFourByte;
	return cudaSuccess;
}

/* --- other devices: none ------------------------------------------------------------------------------------------ */

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
	*can = 0;
	return cudaSuccess;
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
	lock();
	return returned(cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
	lock();
	return returned(cudaErrorPeerAccessNotEnabled);
}

API cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
	snprintf(text, bytes > 0 ? (size_t)bytes : 0, "0000:%02x:00.0", PCI_BUS);
	return the_only(device);
}

/* --- properties --------------------------------------------------------------------------------------------------- */

static size_t shared_by_default(void) {
	return facts()->shared_per_block < DEFAULT_SHARED ? facts()->shared_per_block : DEFAULT_SHARED;
}

/* The fields that both versions have, of what is known of the GPU. The limits of textures are those of compute
 * capability 5.0 and later. */
#define SET_PROPERTIES(p)                                                                                              \
	do {                                                                                                               \
		const ExecFacts *f = facts();                                                                                  \
		memset((p), 0, sizeof *(p));                                                                                   \
		snprintf((p)->name, sizeof(p)->name, "%s", f->name);                                                           \
		(p)->totalGlobalMem = f->pool_bytes;                                                                           \
		(p)->sharedMemPerBlock = shared_by_default();                                                                  \
		(p)->regsPerBlock = (p)->regsPerMultiprocessor = (int)f->registers_per_sm;                                     \
		(p)->warpSize = 32;                                                                                            \
		(p)->memPitch = INT32_MAX;                                                                                     \
		(p)->maxThreadsPerBlock = (int)f->threads_per_block;                                                           \
		for (int i_ = 0; i_ < 3; i_++) (p)->maxThreadsDim[i_] = (int)f->max_block[i_];                                 \
		for (int i_ = 0; i_ < 3; i_++) (p)->maxGridSize[i_] = (int)f->max_grid[i_];                                    \
		(p)->totalConstMem = CONST_BYTES;                                                                              \
		(p)->major = (int)(f->cc / 10);                                                                                \
		(p)->minor = (int)(f->cc % 10);                                                                                \
		(p)->textureAlignment = (p)->surfaceAlignment = 512;                                                           \
		(p)->texturePitchAlignment = 32;                                                                               \
		(p)->multiProcessorCount = (int)f->sms;                                                                        \
		(p)->canMapHostMemory = (p)->unifiedAddressing = (p)->managedMemory = (p)->concurrentManagedAccess = 1;        \
		(p)->maxTexture1D = (p)->maxTexture2D[0] = 131072;                                                             \
		(p)->maxTexture2D[1] = 65536;                                                                                  \
		(p)->maxTexture3D[0] = (p)->maxTexture3D[1] = (p)->maxTexture3D[2] = 16384;                                    \
		(p)->maxTexture1DLayered[0] = (p)->maxTexture2DLayered[0] = (p)->maxTexture2DLayered[1] = 32768;               \
		(p)->maxTexture1DLayered[1] = (p)->maxTexture2DLayered[2] = 2048;                                              \
		(p)->concurrentKernels = (p)->cooperativeLaunch = (p)->streamPrioritiesSupported = 1;                          \
		(p)->computePreemptionSupported = (p)->hostRegisterSupported = (p)->memoryPoolsSupported = 1;                  \
		(p)->globalL1CacheSupported = (p)->localL1CacheSupported = 1;                                                  \
		(p)->asyncEngineCount = (int)f->copy_engines;                                                                  \
		(p)->pciBusID = PCI_BUS;                                                                                       \
		(p)->l2CacheSize = (int)f->l2_bytes;                                                                           \
		(p)->maxThreadsPerMultiProcessor = (int)(f->warps_per_sm * 32);                                                \
		(p)->sharedMemPerMultiprocessor = f->shared_per_sm;                                                            \
		(p)->sharedMemPerBlockOptin = f->shared_per_block;                                                             \
		(p)->reservedSharedMemPerBlock = f->shared_reserved;                                                           \
		(p)->maxBlocksPerMultiProcessor = (int)f->blocks_per_sm;                                                       \
		(p)->clusterLaunch = f->clusters;                                                                              \
	} while (0)

/* Of two versions under names of their own: a header declares one name with either's structure. */
API cudaError_t properties_13(DeviceProp13 *out, int device) __asm__("cudaGetDeviceProperties");
API cudaError_t properties_12(DeviceProp12 *out, int device) __asm__("cudaGetDeviceProperties_v2");

cudaError_t properties_13(DeviceProp13 *out, int device) {
	lock();
	if (device == 0) SET_PROPERTIES(out);
	return returned(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t properties_12(DeviceProp12 *out, int device) {
	lock();
	if (device != 0) return returned(cudaErrorInvalidDevice);
	SET_PROPERTIES(out);
	out->clockRate = (int)(facts()->clock_ghz * 1e6);
	out->deviceOverlap = facts()->copy_engines > 0;
	return returned(cudaSuccess);
}

static bool attribute_of(const DeviceProp13 *p, enum cudaDeviceAttr attribute, int *out) {
	const int a = (int)attribute;
	switch (a) {
	case cudaDevAttrMaxThreadsPerBlock: *out = p->maxThreadsPerBlock; return true;
	case cudaDevAttrMaxBlockDimX:
	case cudaDevAttrMaxBlockDimY:
	case cudaDevAttrMaxBlockDimZ: *out = p->maxThreadsDim[a - cudaDevAttrMaxBlockDimX]; return true;
	case cudaDevAttrMaxGridDimX:
	case cudaDevAttrMaxGridDimY:
	case cudaDevAttrMaxGridDimZ: *out = p->maxGridSize[a - cudaDevAttrMaxGridDimX]; return true;
	case cudaDevAttrMaxSharedMemoryPerBlock: *out = (int)p->sharedMemPerBlock; return true;
	case cudaDevAttrTotalConstantMemory: *out = (int)p->totalConstMem; return true;
	case cudaDevAttrWarpSize: *out = p->warpSize; return true;
	case cudaDevAttrMaxPitch: *out = (int)p->memPitch; return true;
	case cudaDevAttrMaxRegistersPerBlock: *out = p->regsPerBlock; return true;
	case cudaDevAttrClockRate: *out = (int)(facts()->clock_ghz * 1e6); return true;
	case cudaDevAttrTextureAlignment: *out = (int)p->textureAlignment; return true;
	case cudaDevAttrMultiProcessorCount: *out = p->multiProcessorCount; return true;
	case cudaDevAttrL2CacheSize: *out = p->l2CacheSize; return true;
	case cudaDevAttrMaxThreadsPerMultiProcessor: *out = p->maxThreadsPerMultiProcessor; return true;
	case cudaDevAttrAsyncEngineCount: *out = p->asyncEngineCount; return true;
	case cudaDevAttrComputeCapabilityMajor: *out = p->major; return true;
	case cudaDevAttrComputeCapabilityMinor: *out = p->minor; return true;
	case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *out = (int)p->sharedMemPerMultiprocessor; return true;
	case cudaDevAttrMaxRegistersPerMultiprocessor: *out = p->regsPerMultiprocessor; return true;
	case cudaDevAttrMaxSharedMemoryPerBlockOptin: *out = (int)p->sharedMemPerBlockOptin; return true;
	case cudaDevAttrMaxBlocksPerMultiprocessor: *out = p->maxBlocksPerMultiProcessor; return true;
	case cudaDevAttrReservedSharedMemoryPerBlock: *out = (int)p->reservedSharedMemPerBlock; return true;
	case cudaDevAttrClusterLaunch: *out = p->clusterLaunch; return true;
	case cudaDevAttrPciBusId: *out = p->pciBusID; return true;
	case cudaDevAttrGpuOverlap: *out = p->asyncEngineCount > 0; return true;
	case cudaDevAttrMaxTexture1DWidth: *out = p->maxTexture1D; return true;
	case cudaDevAttrMaxTexture2DWidth:
	case cudaDevAttrMaxTexture2DHeight: *out = p->maxTexture2D[a - cudaDevAttrMaxTexture2DWidth]; return true;
	case cudaDevAttrCanMapHostMemory:
	case cudaDevAttrConcurrentKernels:
	case cudaDevAttrUnifiedAddressing:
	case cudaDevAttrStreamPrioritiesSupported:
	case cudaDevAttrGlobalL1CacheSupported:
	case cudaDevAttrLocalL1CacheSupported:
	case cudaDevAttrManagedMemory:
	case cudaDevAttrConcurrentManagedAccess:
	case cudaDevAttrComputePreemptionSupported:
	case cudaDevAttrCooperativeLaunch:
	case cudaDevAttrHostRegisterSupported:
	case cudaDevAttrMemoryPoolsSupported: *out = 1; return true;
	default: return false;
	}
}

API cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device) {
	DeviceProp13 p;
	const cudaError_t error = properties_13(&p, device);
	if (error == cudaSuccess && !attribute_of(&p, attribute, out)) *out = 0; /* a feature that is not here */
	return error;
}

/* --- memory pools: all allocations are one ------------------------------------------------------------------------ */

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device) {
	static int pool;
	*out = (cudaMemPool_t)&pool;
	return the_only(device);
}
ALSO(cudaDeviceGetMemPool, cudaDeviceGetDefaultMemPool)
NOTHING(cudaMemPoolSetAttribute)
NOTHING(cudaMemPoolTrimTo)
