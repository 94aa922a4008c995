/* The runtime's functions for devices: there is one, the emulated GPU. See runtime.h. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exec/runtime/runtime.h"
#include "gpu/memory.h"

enum { RUNTIME_VERSION = 13000, CONST_BYTES = 64 << 10, PCI_BUS = 1 };

/* --- which -------------------------------------------------------------------------------------------------------- */

ANSWER(cudaGetDeviceCount, (int *count), *count, 1)

/* A process without a GPU learns that here, too. */
static cudaError_t ends_with(cudaError_t error) {
	begin_call(false);
	return returned(is_forked() ? cudaErrorInitializationError : error);
}

static cudaError_t not_there(void) {
	because("there is one device, number 0");
	return cudaErrorInvalidDevice;
}

static cudaError_t the_only(int device) {
	return ends_with(device == 0 ? cudaSuccess : not_there());
}

FORWARD(cudaGetDevice, (int *device), device ? the_only(*device = 0) : without_place())
ALSO(cudaChooseDevice, cudaGetDevice)
ALSO(cudaDeviceGetByPCIBusId, cudaGetDevice)

FORWARD(cudaSetDevice, (int device), the_only(device))
FORWARD(cudaInitDevice, (int device, unsigned device_flags, unsigned flags), the_only(device))
FORWARD(cudaSetValidDevices, (int *devices, int count), count > 0 && devices ? the_only(devices[0]) : cudaSuccess)

static unsigned device_flags;

API cudaError_t cudaSetDeviceFlags(unsigned flags) {
	called();
	device_flags = flags;
	return cudaSuccess;
}

ANSWER(cudaGetDeviceFlags, (unsigned *flags), *flags, device_flags | cudaDeviceMapHost)

API cudaError_t cudaDeviceSynchronize(void) {
	BEGIN;
	const cudaError_t refused = capture_waits_for_device();
	if (refused != cudaSuccess) return returned(refused);
	printed_comes_out();
	pools_synchronized();
	return returned(queue_late());
}
FORWARD(cudaThreadSynchronize, (void), cudaDeviceSynchronize())

API cudaError_t cudaDeviceReset(void) {
	if (begin_call(true) == cudaSuccess) blocks_reset();
	printed_comes_out();
	return returned(is_forked() ? cudaErrorInitializationError : cudaSuccess);
}
ALSO(cudaThreadExit, cudaDeviceReset)

ANSWER(cudaRuntimeGetVersion, (int *version), *version, RUNTIME_VERSION)
ALSO(cudaDriverGetVersion, cudaRuntimeGetVersion)

/* --- caches: an emulator's are as the GPU's are by default -------------------------------------------------------- */

NOTHING(cudaCtxResetPersistingL2Cache)
CALL_UNSAFE(cudaDeviceSetCacheConfig, (enum cudaFuncCache config), cudaSuccess)
NOTHING(cudaDeviceSetSharedMemConfig)
NOTHING(cudaFuncSetCacheConfig)
NOTHING(cudaFuncSetSharedMemConfig)
NOTHING(cudaThreadSetCacheConfig)
NOTHING(cudaProfilerStart)
NOTHING(cudaProfilerStop)

ANSWER(cudaDeviceGetCacheConfig, (enum cudaFuncCache * config), *config, cudaFuncCachePreferNone)
ANSWER(cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * config), *config, cudaSharedMemBankSizeFourByte)

/* --- other devices: none ------------------------------------------------------------------------------------------ */

ANSWER(cudaDeviceCanAccessPeer, (int *can, int device, int peer), *can, 0)
FORWARD(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), ends_with(cudaErrorInvalidDevice))
FORWARD(cudaDeviceDisablePeerAccess, (int peer), ends_with(cudaErrorPeerAccessNotEnabled))

FORWARD(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr attribute, int device, int peer),
		ends_with(cudaErrorInvalidDevice))

API cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
	if (!text) return without_place();
	snprintf(text, bytes > 0 ? (size_t)bytes : 0, "0000:%02x:00.0", PCI_BUS);
	return the_only(device);
}

/* --- properties --------------------------------------------------------------------------------------------------- */

/* struct cudaDeviceProp as CUDA 12 and as CUDA 13 have it: programs know the fields by their places, and the headers
 * that gpulab is built with have one of them. */
#define OLD(field) field
typedef struct {
#include "exec/runtime/properties.def"
	int reserved[63];
} DeviceProp12;
#undef OLD

#define OLD(field)
typedef struct {
#include "exec/runtime/properties.def"
	int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
	unsigned int gpuPciDeviceID, gpuPciSubsystemID;
	int hostNumaMultinodeIpcSupported;
	int reserved[56];
} DeviceProp13;
#undef OLD

#if CUDART_VERSION >= 13000
static_assert(sizeof(DeviceProp13) == sizeof(struct cudaDeviceProp), "the fields of CUDA 13");
#else
static_assert(sizeof(DeviceProp12) == sizeof(struct cudaDeviceProp), "the fields of CUDA 12");
#endif

static size_t shared_by_default(void) {
	return facts()->gpu->shared_per_block < DEFAULT_SHARED ? facts()->gpu->shared_per_block : DEFAULT_SHARED;
}

size_t device_memory(void) {
	const size_t has = (size_t)gpu_memory(facts()->gpu).mebibytes << 20;
	return has ? has : facts()->pool_bytes;
}

/* The fields that both versions have, of what is known of the GPU. The limits of textures are those of compute
 * capability 5.0 and later. */
#define SET_PROPERTIES(p)                                                                                              \
	do {                                                                                                               \
		const Gpu *g = facts()->gpu;                                                                                   \
		memset((p), 0, sizeof *(p));                                                                                   \
		snprintf((p)->name, sizeof(p)->name, "%s", g->name);                                                           \
		(p)->totalGlobalMem = device_memory();                                                                         \
		(p)->memoryBusWidth = (int)gpu_memory(g).bus_bits;                                                             \
		(p)->sharedMemPerBlock = shared_by_default();                                                                  \
		(p)->regsPerBlock = (p)->regsPerMultiprocessor = (int)g->registers_per_sm;                                     \
		(p)->warpSize = 32;                                                                                            \
		(p)->memPitch = INT32_MAX;                                                                                     \
		(p)->maxThreadsPerBlock = (int)g->threads_per_block;                                                           \
		for (int i_ = 0; i_ < 3; i_++) (p)->maxThreadsDim[i_] = (int)g->max_block[i_];                                 \
		for (int i_ = 0; i_ < 3; i_++) (p)->maxGridSize[i_] = (int)g->max_grid[i_];                                    \
		(p)->totalConstMem = CONST_BYTES;                                                                              \
		(p)->major = (int)(g->cc / 10);                                                                                \
		(p)->minor = (int)(g->cc % 10);                                                                                \
		(p)->textureAlignment = (p)->surfaceAlignment = 512;                                                           \
		(p)->texturePitchAlignment = TEXTURE_PITCH;                                                                    \
		(p)->multiProcessorCount = (int)g->sms;                                                                        \
		(p)->canMapHostMemory = (p)->unifiedAddressing = (p)->managedMemory = 1;                                       \
		(p)->concurrentManagedAccess = g->generation->cooperative;                                                     \
		(p)->cooperativeLaunch = (p)->computePreemptionSupported = g->generation->cooperative;                         \
		(p)->maxTexture1D = (p)->maxTexture2D[0] = 131072;                                                             \
		(p)->maxTexture2D[1] = 65536;                                                                                  \
		(p)->maxTexture3D[0] = (p)->maxTexture3D[1] = (p)->maxTexture3D[2] = 16384;                                    \
		(p)->maxTexture1DLayered[0] = (p)->maxTexture2DLayered[0] = (p)->maxTexture2DLayered[1] = 32768;               \
		(p)->maxTexture1DLayered[1] = (p)->maxTexture2DLayered[2] = 2048;                                              \
		(p)->concurrentKernels = (p)->streamPrioritiesSupported = 1;                                                   \
		(p)->hostRegisterSupported = (p)->memoryPoolsSupported = 1;                                                    \
		(p)->globalL1CacheSupported = (p)->localL1CacheSupported = 1;                                                  \
		(p)->asyncEngineCount = (int)g->copy_engines;                                                                  \
		(p)->pciBusID = PCI_BUS;                                                                                       \
		(p)->l2CacheSize = (int)g->l2_bytes;                                                                           \
		(p)->maxThreadsPerMultiProcessor = (int)(g->warps_per_sm * 32);                                                \
		(p)->sharedMemPerMultiprocessor = g->shared_per_sm;                                                            \
		(p)->sharedMemPerBlockOptin = g->shared_per_block;                                                             \
		(p)->reservedSharedMemPerBlock = g->shared_reserved;                                                           \
		(p)->maxBlocksPerMultiProcessor = (int)g->blocks_per_sm;                                                       \
		(p)->clusterLaunch = g->generation->clusters;                                                                  \
	} while (0)

/* Of two versions under names of their own: a header declares one name with either's structure. */
API cudaError_t properties_13(DeviceProp13 *out, int device) __asm__("cudaGetDeviceProperties");
API cudaError_t properties_12(DeviceProp12 *out, int device) __asm__("cudaGetDeviceProperties_v2");

cudaError_t properties_13(DeviceProp13 *out, int device) {
	begin_call(false);
	if (!out) return returned(nowhere());
	if (device != 0) return returned(not_there());
	SET_PROPERTIES(out);
	return returned(cudaSuccess);
}

cudaError_t properties_12(DeviceProp12 *out, int device) {
	begin_call(false);
	if (!out) return returned(nowhere());
	if (device != 0) return returned(not_there());
	SET_PROPERTIES(out);
	out->clockRate = (int)(facts()->gpu->shader_ghz * 1e6);
	out->memoryClockRate = (int)gpu_memory(facts()->gpu).khz;
	out->deviceOverlap = facts()->gpu->copy_engines > 0;
	return returned(cudaSuccess);
}

/* The attributes that are here, and the field that has each. */
/* clang-format off */
#define ATTRIBUTES(X) \
	X(MaxThreadsPerBlock, maxThreadsPerBlock)  X(MaxBlockDimX, maxThreadsDim[0])  X(MaxBlockDimY, maxThreadsDim[1]) \
	X(MaxBlockDimZ, maxThreadsDim[2])  X(MaxGridDimX, maxGridSize[0])  X(MaxGridDimY, maxGridSize[1]) \
	X(MaxGridDimZ, maxGridSize[2])  X(MaxSharedMemoryPerBlock, sharedMemPerBlock) \
	X(TotalConstantMemory, totalConstMem)  X(WarpSize, warpSize)  X(MaxPitch, memPitch) \
	X(MaxRegistersPerBlock, regsPerBlock)  X(TextureAlignment, textureAlignment) \
	X(MultiProcessorCount, multiProcessorCount)  X(GlobalMemoryBusWidth, memoryBusWidth)  X(L2CacheSize, l2CacheSize) \
	X(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)  X(AsyncEngineCount, asyncEngineCount) \
	X(ComputeCapabilityMajor, major)  X(ComputeCapabilityMinor, minor) \
	X(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor) \
	X(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)  X(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin) \
	X(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor) \
	X(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)  X(ClusterLaunch, clusterLaunch)  X(PciBusId, pciBusID) \
	X(MaxTexture1DWidth, maxTexture1D)  X(MaxTexture2DWidth, maxTexture2D[0])  X(MaxTexture2DHeight, maxTexture2D[1]) \
	X(CanMapHostMemory, canMapHostMemory)  X(ConcurrentKernels, concurrentKernels) \
	X(UnifiedAddressing, unifiedAddressing)  X(StreamPrioritiesSupported, streamPrioritiesSupported) \
	X(GlobalL1CacheSupported, globalL1CacheSupported)  X(LocalL1CacheSupported, localL1CacheSupported) \
	X(ManagedMemory, managedMemory)  X(ConcurrentManagedAccess, concurrentManagedAccess) \
	X(ComputePreemptionSupported, computePreemptionSupported)  X(CooperativeLaunch, cooperativeLaunch) \
	X(HostRegisterSupported, hostRegisterSupported)  X(MemoryPoolsSupported, memoryPoolsSupported)
/* clang-format on */

static int attribute_of(const DeviceProp13 *p, enum cudaDeviceAttr attribute) {
	switch ((int)attribute) {
#define X(name, field)                                                                                                 \
	case cudaDevAttr##name: return (int)p->field;
		ATTRIBUTES(X)
#undef X
	case cudaDevAttrClockRate: return (int)(facts()->gpu->shader_ghz * 1e6);
	case cudaDevAttrMemoryClockRate: return (int)gpu_memory(facts()->gpu).khz;
	case cudaDevAttrGpuOverlap: return p->asyncEngineCount > 0;
	default: return 0; /* a feature that is not here */
	}
}

API cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device) {
	DeviceProp13 p;
	if (!out) return without_place();
	if ((int)attribute <= 0 || (int)attribute >= cudaDevAttrMax) return ends_with(cudaErrorInvalidValue);
	const cudaError_t error = the_only(device);
	if (error == cudaSuccess && properties_13(&p, device) == cudaSuccess) *out = attribute_of(&p, attribute);
	return error;
}
