/* cuda.h: what every file of the CUDA backend stands on: errors made for people, kernels by name. */
#include <stdio.h>

#include "device/backend/cuda.h"
#include "device/backend/unavailable.h"

/* --- errors ------------------------------------------------------------------------------------------------------- */

void cuda_version_text(int version, char *out, size_t size) {
	snprintf(out, size, "%d.%d", version / 1000, version % 1000 / 10);
}

void backend_toolkit(char *out, size_t size) {
	cuda_version_text(CUDART_VERSION, out, size);
}

static bool driver_too_old(Err *err) {
	int driver = 0, runtime = 0;
	char have[16], want[16];
	cudaDriverGetVersion(&driver);
	cudaRuntimeGetVersion(&runtime);
	cuda_version_text(driver, have, sizeof have);
	cuda_version_text(runtime, want, sizeof want);
	if (!driver) {
		err_set(err, ERR_SETUP, "no NVIDIA driver is running on this machine");
		return err_hint(err, "install the NVIDIA driver, or use the emulator: --device emu");
	}
	err_set(err, ERR_SETUP, "the NVIDIA driver knows CUDA up to %s, this program was built with %s", have, want);
	return err_hint(err, "update the driver, or build with CUDA %s or older (-Dcuda=DIR), or use --device emu", have);
}

/* Does the context still work? A fault of a kernel comes back from every call that follows. */
static void broken_after(CudaBackend *c) {
	cudaGetLastError();
	cudaError_t now = c->stream ? cudaStreamQuery(c->stream) : cudaSuccess;
	if (now != cudaSuccess && now != cudaErrorNotReady) c->broken = true;
}

/* Asked without a context, which cannot be had. */
static bool unavailable(const CudaBackend *c, Err *err) {
	enum { MOST = 16 };
	uint32_t pids[MOST];
	char bus[sizeof c->info.bus] = "";
	int mode = MODE_DEFAULT;
	if (cudaDeviceGetPCIBusId(bus, sizeof bus, c->ordinal) != cudaSuccess) *bus = '\0';
	if (cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, c->ordinal) != cudaSuccess) mode = MODE_DEFAULT;
	cudaGetLastError();
	return gpu_busy(c->ordinal, (ComputeMode)mode, pids, cuda_nvml_processes(bus, pids, MOST), err);
}

bool cuda_ok(CudaBackend *c, cudaError_t status, const char *doing, Err *err) {
	switch (status) {
	case cudaSuccess: return true;
	case cudaErrorInsufficientDriver: return driver_too_old(err);
	case cudaErrorUnsupportedPtxVersion:
		err_set(err, ERR_SETUP, "the driver does not understand this PTX: NVRTC is newer than the driver");
		return err_hint(err, "update the driver, or use an NVRTC of the driver's CUDA version");
	case cudaErrorNoDevice:
		err_set(err, ERR_SETUP, "the NVIDIA driver sees no GPU");
		return err_hint(err, "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device emu");
	case cudaErrorDevicesUnavailable: return unavailable(c, err);
	case cudaErrorSystemDriverMismatch:
		err_set(err, ERR_SETUP, "the NVIDIA driver's library and its kernel module are of different versions");
		return err_hint(err, "the driver was updated while it ran: restart the machine, or use --device emu");
	case cudaErrorSystemNotReady:
		err_set(err, ERR_SETUP, "the NVIDIA driver is not ready yet");
		return err_hint(err, "GPUs joined by NVSwitch need the fabric manager's service to run; or use --device emu");
	case cudaErrorECCUncorrectable:
	case cudaErrorNvlinkUncorrectable:
		c->broken = true;
		err_set(err, ERR_SETUP, "the GPU cuda:%d has a hardware fault: %s", c->ordinal, cudaGetErrorString(status));
		return err_hint(err, "see nvidia-smi -q and the system's log; name another GPU with --device");
	case cudaErrorMemoryAllocation:
	case cudaErrorInvalidValue:
	case cudaErrorInvalidResourceHandle:
	case cudaErrorNotSupported: break;
	default: broken_after(c);
	}
	return err_set(err, ERR_SETUP, "%s failed: %s", doing, cudaGetErrorString(status));
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

cudaLibrary_t *cuda_module(CudaBackend *c, uint64_t module, Err *err) {
	if (module >= 1 && module <= c->libraries.len && c->libraries.data[module - 1])
		return &c->libraries.data[module - 1];
	err_set(err, ERR_USAGE, "module %llu is not loaded", (unsigned long long)module);
	return NULL;
}

cudaKernel_t cuda_find_kernel(CudaBackend *c, uint64_t module, const char *name, Err *err) {
	cudaKernel_t kernel = NULL;
	const cudaLibrary_t *library = cuda_module(c, module, err);
	if (!library) return NULL;
	if (cudaLibraryGetKernel(&kernel, *library, name) != cudaSuccess) {
		cudaGetLastError();
		err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", name);
		return NULL;
	}
	return kernel;
}
