/* struct cudaDeviceProp as CUDA 12 and as CUDA 13 have it: programs know the fields by their places, and the headers
 * that gpulab is built with have one of them. */
#ifndef GPULAB_EXEC_RUNTIME_PROPERTIES_H
#define GPULAB_EXEC_RUNTIME_PROPERTIES_H

#include <assert.h>
#include <cuda_runtime_api.h>

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

#endif
