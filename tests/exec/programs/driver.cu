// The driver API: argv[1] is PTX of scale.cu, argv[2], if given, a function to call that gpulab does not have.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <thread>

static void expect(const char *what, CUresult got, CUresult wanted = CUDA_SUCCESS) {
	const char *name = "?";
	cuGetErrorName(got, &name);
	if (got != wanted) printf("%s: %s\n", what, name);
}

static CUcontext created() {
	CUcontext context = NULL;
#if CUDA_VERSION >= 13000
	cuCtxCreate(&context, NULL, 0, 0);
#else
	cuCtxCreate(&context, 0, 0);
#endif
	return context;
}

// Contexts that were destroyed; the program looks at no error.
static int contexts(CUdeviceptr data) {
	CUcontext one = created(), two = created(), top = NULL;
	cuMemFree(data), cuCtxPopCurrent(&top), cuCtxDestroy(two);
	int failures = cuMemAlloc(&data, 4) + cuMemFree(data) + cuCtxPushCurrent(one) + cuCtxDestroy(one);
	failures += cuMemAlloc(&data, 4) == CUDA_ERROR_CONTEXT_IS_DESTROYED; // below it is the same
	failures += cuCtxSetCurrent(NULL) + cuMemAlloc(&data, 4) + cuMemFree(data);
	int others = 0;
	cuCtxDestroy(two); // destroyed again
	std::thread([&] {
		CUcontext own = created();
		others = cuCtxDestroy(own);
		others += cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT; // none is current
		others += cuMemAlloc(&data, 4) == CUDA_ERROR_INVALID_CONTEXT;
		cuCtxSetCurrent(own); // destroyed and current
		cuMemFree(17 + data); // an error of its own, had it a context
	}).join();
	CUcontext three = created();
	cuMemAlloc(&data, 4), cuCtxDestroy(three), cuCtxSetCurrent(NULL);
	others += cuMemsetD32(data, 0, 1) == CUDA_ERROR_INVALID_VALUE; // freed with its context
	printf("%d %d %d\n", failures, others, top == two);
	return 0;
}

int main(int argc, char **argv) {
	CUdevice device;
	CUcontext context, current;
	CUmodule module;
	CUfunction scale, none;
	CUdeviceptr data, factor;
	CUstream stream;
	CUevent from, to;
	int major = 0, threads = 0, n = 1000;
	char name[64];
	size_t bytes, left, total;
	float ms = -1;
	expect("cuInit", cuInit(0));
	expect("cuInit with flags", cuInit(1), CUDA_ERROR_INVALID_VALUE);
	expect("cuDeviceGet", cuDeviceGet(&device, 0));
	expect("cuDeviceGet of another", cuDeviceGet(&device, 7), CUDA_ERROR_INVALID_DEVICE);
	expect("cuDeviceGetName", cuDeviceGetName(name, sizeof name, device));
	expect("cuDeviceGetAttribute", cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
	expect("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device));
	expect("cuCtxSetCurrent", cuCtxSetCurrent(context));
	expect("cuCtxGetCurrent", cuCtxGetCurrent(&current));
	expect("cuMemGetInfo", cuMemGetInfo(&left, &total));
	printf("%s, cc %d, %d, %d\n", name, major, current == context, left <= total && total > 0);
	if (argc > 2 && !strcmp(argv[2], "contexts")) return expect("cuMemAlloc", cuMemAlloc(&data, 4)), contexts(data);
	if (argc > 2) cuCtxGetSharedMemConfig(NULL);

	expect("cuModuleLoad of no file", cuModuleLoad(&module, "no such file"), CUDA_ERROR_FILE_NOT_FOUND);
	expect("cuModuleLoadData of nonsense", cuModuleLoadData(&module, "nonsense"), CUDA_ERROR_INVALID_IMAGE);
	expect("cuModuleLoadData of bad PTX", cuModuleLoadData(&module, ".version 7.0\n.target sm_80\n.nothing"), CUDA_ERROR_INVALID_PTX);
	expect("cuModuleLoad", cuModuleLoad(&module, argv[1]));
	expect("cuModuleGetFunction", cuModuleGetFunction(&scale, module, "scale"));
	expect("cuModuleGetFunction of another", cuModuleGetFunction(&none, module, "none"), CUDA_ERROR_NOT_FOUND);
	expect("cuModuleGetGlobal", cuModuleGetGlobal(&factor, &bytes, module, "factor"));
	expect("cuFuncGetAttribute", cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
	printf("%zu bytes, %d threads\n", bytes, threads);

	float host[1000], three = 3;
	expect("cuMemAlloc", cuMemAlloc(&data, sizeof host));
	expect("cuMemsetD32", cuMemsetD32(data, 0x3f800000, 1000));
	expect("cuMemcpyHtoD", cuMemcpyHtoD(factor, &three, sizeof three));
	expect("cuStreamCreate", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	expect("cuEventCreate", cuEventCreate(&from, 0));
	expect("cuEventCreate", cuEventCreate(&to, 0));
	expect("cuEventRecord", cuEventRecord(from, stream));
	void *params[] = {&data, &n};
	expect("cuLaunchKernel", cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, stream, params, NULL));
	struct {
		CUdeviceptr data;
		int n;
	} packed = {data, n};
	bytes = sizeof packed.data + sizeof packed.n;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
	expect("cuLaunchKernel of a buffer", cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, stream, NULL, extra));
	bytes = sizeof packed;
	expect("a larger buffer", cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, stream, NULL, extra),
		   CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
	expect("no threads", cuLaunchKernel(scale, 8, 1, 1, 0, 1, 1, 0, stream, params, NULL), CUDA_ERROR_INVALID_VALUE);
	expect("cuEventRecord", cuEventRecord(to, stream));
	expect("cuStreamSynchronize", cuStreamSynchronize(stream));
	expect("cuEventElapsedTime", cuEventElapsedTime(&ms, from, to));
	expect("cuMemcpyDtoH", cuMemcpyDtoH(host, data, sizeof host));
	int wrong = 0;
	for (float x : host) wrong += x != 9;
	CUresult (*free_)(CUdeviceptr) = NULL;
	expect("cuGetProcAddress", cuGetProcAddress("cuMemFree", (void **)&free_, 12000, 0, NULL));
	CUdeviceptr base = 0;
	expect("cuMemGetAddressRange", cuMemGetAddressRange(&base, &bytes, data + 100));
	wrong += base != data || bytes != sizeof host;
	expect("of one byte", cuMemGetAddressRange(NULL, &bytes, data + sizeof host - 1));
	expect("and of none", cuMemGetAddressRange(&base, NULL, data));
	expect("behind it", cuMemGetAddressRange(&base, &bytes, data + sizeof host), CUDA_ERROR_NOT_FOUND);
	expect("nowhere", cuMemGetAddressRange(&base, &bytes, 0), CUDA_ERROR_NOT_FOUND);
	expect("cuMemFree", free_(data));
	expect("it is freed", cuMemGetAddressRange(&base, &bytes, data), CUDA_ERROR_NOT_FOUND);
	expect("cuMemFree again", free_(data), CUDA_ERROR_INVALID_VALUE);
	expect("cuModuleUnload", cuModuleUnload(module));
	printf("%d wrong, %d\n", wrong, ms >= 0);
}
