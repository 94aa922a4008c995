/* backend.h over cudart: library routines. cuBLAS is loaded when it is first asked for, here in the worker and nowhere
 * else, by its C interface alone: neither its headers nor the library need be there when gpulab is built.
 *
 * cuBLAS stores matrices column by column, we row by row: what is A to us is Aᵀ to it. C = A · B is Cᵀ = Bᵀ · Aᵀ, so
 * the factors change places and nothing is transposed; out = inᵀ becomes a transpose there too. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/toolkit.h"
#include "device/backend/cuda.h"

typedef struct CublasContext *Handle;

enum { OP_NONE = 0, OP_TRANSPOSE = 1, DEFAULT_MATH = 0 };                   /* cublasOperation_t, cublasMath_t */
enum { DATA_F32 = 0, DATA_BF16 = 14, COMPUTE_F32 = 68, DEFAULT_GEMM = -1 }; /* cudaDataType, cublasComputeType_t */
enum { WORKSPACE = 32 << 20 };                                              /* what cuBLAS takes for itself on cc 9.0 */

/* clang-format off */
#define CUBLAS_FUNCTIONS(F) \
	F(create, "cublasCreate_v2", int (*)(Handle *)) \
	F(set_stream, "cublasSetStream_v2", int (*)(Handle, cudaStream_t)) \
	F(set_math, "cublasSetMathMode", int (*)(Handle, int)) \
	F(set_workspace, "cublasSetWorkspace_v2", int (*)(Handle, void *, size_t)) \
	F(sgemm, "cublasSgemm_v2", int (*)(Handle, int, int, int, int, int, const float *, const float *, int, \
									   const float *, int, const float *, float *, int)) \
	F(gemm_ex, "cublasGemmEx", int (*)(Handle, int, int, int, int, int, const void *, const void *, int, int, \
									   const void *, int, int, const void *, void *, int, int, int, int)) \
	F(sgeam, "cublasSgeam", int (*)(Handle, int, int, int, int, const float *, const float *, int, const float *, \
									const float *, int, float *, int))
/* clang-format on */

struct CudaLibrary {
	void *library; /* never closed: the process ends before it would matter */
	Handle handle; /* NULL: not started yet */
	char why[300]; /* why it cannot be used; "": it can, or it was not tried yet */
#define F(name, symbol, type) __typeof__((type)0) name;
	CUBLAS_FUNCTIONS(F)
#undef F
};

void cuda_library_free(CudaLibrary *l) {
	free(l);
}

/* --- finding it --------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12"};

static bool open_at(CudaLibrary *l, const char *folder, const char *name) {
	char path[PATH_MAX];
	if (*folder) { /* it asks for cuBLASLt by name: that of the same folder, so load it first */
		snprintf(path, sizeof path, "%s/libcublasLt%s", folder, name + strlen("libcublas"));
		dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
	}
	snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
	l->library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	return l->library != NULL;
}

static bool open_in(CudaLibrary *l, const char *folder) {
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (open_at(l, folder, names[i])) return true;
	return false;
}

/* Next to an NVRTC; the Python packages of CUDA 12 have a folder for each library. */
static bool beside(NvrtcLibrary *nvrtc, void *context) {
	Str folder = {0};
	const char *slash = strrchr(nvrtc->path, '/');
	if (!slash) return false;
	str_addn(&folder, nvrtc->path, (size_t)(slash - nvrtc->path));
	bool found = open_in(context, folder.text);
	if (!found) {
		str_add(&folder, "/../../cublas/lib");
		found = open_in(context, folder.text);
	}
	str_free(&folder);
	if (found) toolkit_forget(nvrtc);
	return found;
}

static bool find(CudaLibrary *l) {
	const bool built_with = *GPULAB_CUDA_HOME && open_in(l, GPULAB_CUDA_HOME "/lib64");
	if (!built_with && !toolkit_search(beside, l) && !open_in(l, "")) {
		snprintf(l->why, sizeof l->why, "libcublas.so.13 or .12 cannot be loaded");
		return false;
	}
#define F(name, symbol, type)                                                                                          \
	*(void **)&l->name = dlsym(l->library, symbol);                                                                    \
	if (!l->name) {                                                                                                    \
		snprintf(l->why, sizeof l->why, "this cuBLAS has no %s", symbol);                                              \
		return false;                                                                                                  \
	}
	CUBLAS_FUNCTIONS(F)
#undef F
	return true;
}

/* FP32 means FP32: an environment that selects TF32 or FP32 emulation by BF16 is ignored. The workspace is ours,
 * because cuBLAS would otherwise allocate one while a graph is recorded. */
static bool start(CudaBackend *c, CudaLibrary *l) {
	void *workspace = NULL;
	unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
	setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
	int status = l->create(&l->handle);
	if (status == 0) status = l->set_stream(l->handle, c->stream);
	if (status == 0) status = l->set_math(l->handle, DEFAULT_MATH);
	if (status == 0) {
		if (cudaMalloc(&workspace, WORKSPACE) == cudaSuccess) l->set_workspace(l->handle, workspace, WORKSPACE);
		cudaGetLastError();
		return true;
	}
	snprintf(l->why, sizeof l->why, "cuBLAS does not start (status %d): is it newer than the driver?", status);
	l->handle = NULL;
	return false;
}

static bool ready(CudaBackend *c, LibraryRoutine routine, Err *err) {
	if (routine == LIBRARY_MEMCPY) return true;
	if (!c->library) {
		c->library = xcalloc(1, sizeof *c->library);
		if (find(c->library)) start(c, c->library);
	}
	if (c->library->handle) return true;
	err_set(err, ERR_SETUP, "%s needs cuBLAS: %s", library_info(routine)->name, c->library->why);
	return err_hint(err, "install the CUDA Toolkit's cuBLAS and set CUDA_HOME or LD_LIBRARY_PATH to where it is");
}

bool cuda_has_library(Backend *b, const LibraryRequest *request, Nothing *out, Err *err) {
	return ready((CudaBackend *)b, request->routine, err);
}

/* --- calling it --------------------------------------------------------------------------------------------------- */

static int call_cublas(const CudaLibrary *l, const BackendCall *call) {
	static const float one = 1, zero = 0;
	float *to = (float *)(uintptr_t)call->addrs[0];
	const float *a = (const float *)(uintptr_t)call->addrs[1], *b = (const float *)(uintptr_t)call->addrs[2];
	const int rows = (int)call->extents[0], columns = (int)call->extents[1];
	if (call->routine == LIBRARY_SGEMM)
		return l->sgemm(l->handle, OP_NONE, OP_NONE, rows, rows, rows, &one, b, rows, a, rows, &zero, to, rows);
	if (call->routine == LIBRARY_GEMMEX)
		return l->gemm_ex(l->handle, OP_NONE, OP_NONE, rows, rows, rows, &one, b, DATA_BF16, rows, a, DATA_BF16, rows,
						  &zero, to, DATA_F32, rows, COMPUTE_F32, DEFAULT_GEMM);
	return l->sgeam(l->handle, OP_TRANSPOSE, OP_NONE, rows, columns, &one, a, columns, &zero, to, rows, to, rows);
}

bool cuda_library_enqueue(CudaBackend *c, const BackendCall *call, cudaError_t *queued, Err *err) {
	if (!ready(c, call->routine, err)) return false;
	if (call->routine == LIBRARY_MEMCPY) {
		*queued = cudaMemcpyAsync((void *)(uintptr_t)call->addrs[0], (const void *)(uintptr_t)call->addrs[1],
								  call->bytes, cudaMemcpyDeviceToDevice, c->stream);
		return true;
	}
	const int status = call_cublas(c->library, call);
	if (status == 0) return true;
	cudaGetLastError();
	return err_set(err, ERR_SETUP, "cuBLAS refused %s with status %d", library_info(call->routine)->name, status);
}

bool cuda_library(CudaBackend *c, const BackendCall *call, LaunchOutcome *out, Err *err) {
	cudaError_t queued = cudaSuccess;
	float ms = 0;
	*out = (LaunchOutcome){0};
	cudaEventRecord(c->start, c->stream);
	if (!cuda_library_enqueue(c, call, &queued, err)) return false;
	cudaEventRecord(c->stop, c->stream);
	if (!cuda_conclude(c, queued, out, err)) return false;
	if (out->status == LAUNCH_OK && cudaEventElapsedTime(&ms, c->start, c->stop) == cudaSuccess) out->milliseconds = ms;
	return true;
}
