/* The names and texts of errors. Programs print these texts, so they are the ones NVIDIA's runtime has. */
#include <stddef.h>

#include "exec/runtime/runtime.h"

#define ERRORS(X)                                                                                                      \
	X(cudaSuccess, "no error")                                                                                         \
	X(cudaErrorInvalidValue, "invalid argument")                                                                       \
	X(cudaErrorMemoryAllocation, "out of memory")                                                                      \
	X(cudaErrorInitializationError, "initialization error")                                                            \
	X(cudaErrorCudartUnloading, "driver shutting down")                                                                \
	X(cudaErrorInvalidConfiguration, "invalid configuration argument")                                                 \
	X(cudaErrorInvalidPitchValue, "invalid pitch argument")                                                            \
	X(cudaErrorInvalidSymbol, "invalid device symbol")                                                                 \
	X(cudaErrorInvalidTexture, "invalid texture reference")                                                            \
	X(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer")                                             \
	X(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor")                                                 \
	X(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")                                            \
	X(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version")                     \
	X(cudaErrorMissingConfiguration, "__global__ function call is not configured")                                     \
	X(cudaErrorInvalidDeviceFunction, "invalid device function")                                                       \
	X(cudaErrorNoDevice, "no CUDA-capable device is detected")                                                         \
	X(cudaErrorInvalidDevice, "invalid device ordinal")                                                                \
	X(cudaErrorInvalidKernelImage, "device kernel image is invalid")                                                   \
	X(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device")                     \
	X(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled")                                               \
	X(cudaErrorHardwareStackError, "hardware stack error")                                                             \
	X(cudaErrorIllegalInstruction, "an illegal instruction was encountered")                                           \
	X(cudaErrorMisalignedAddress, "misaligned address")                                                                \
	X(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space")                          \
	X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                                       \
	X(cudaErrorNotReady, "device not ready")                                                                           \
	X(cudaErrorIllegalAddress, "an illegal memory access was encountered")                                             \
	X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                                        \
	X(cudaErrorLaunchTimeout, "the launch timed out and was terminated")                                               \
	X(cudaErrorAssert, "device-side assert triggered")                                                                 \
	X(cudaErrorLaunchFailure, "unspecified launch failure")                                                            \
	X(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")                                     \
	X(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped")             \
	X(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")                   \
	X(cudaErrorNotPermitted, "operation not permitted")                                                                \
	X(cudaErrorNotSupported, "operation not supported")                                                                \
	X(cudaErrorFileNotFound, "file not found")                                                                         \
	X(cudaErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which "         \
									   "violated constraints specific to instantiated graph update")                   \
	X(cudaErrorIllegalState, "the operation cannot be performed in the present state")                                 \
	X(cudaErrorInvalidClusterSize, "a kernel launch error has occurred due to cluster misconfiguration")               \
	X(cudaErrorInvalidPtx, "a PTX JIT compilation failed")                                                             \
	X(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream")  \
	X(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")                           \
	X(cudaErrorSymbolNotFound, "named symbol not found")                                                               \
	X(cudaErrorUnknown, "unknown error")

typedef struct {
	cudaError_t error;
	const char *name, *text;
} ErrorRow;

static const ErrorRow rows[] = {
#define X(error, text) {error, #error, text},
	ERRORS(X)
#undef X
};

static const ErrorRow *row_of(cudaError_t error) {
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].error == error) return &rows[i];
	return NULL;
}

const char *error_text(cudaError_t error) {
	const ErrorRow *row = row_of(error);
	return row ? row->text : "unrecognized error code";
}

const char *error_name(cudaError_t error) {
	const ErrorRow *row = row_of(error);
	return row ? row->name : "unrecognized error code";
}
