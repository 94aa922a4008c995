// What course programs use of the CUDA runtime, checked by the program itself: a failed line is printed, and counts in the status.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

static int failures;
#define CHECK(what)                                                       \
	do {                                                                  \
		if (!(what)) printf("line %d: %s\n", __LINE__, #what), failures++; \
	} while (0)
#define OK(call) CHECK((call) == cudaSuccess)

__constant__ int weights[4];
__device__ int total;
__managed__ int shared_by_both = 40;

__global__ void scale(int *a, int n, int by) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) a[i] = a[i] * by + weights[i % 4];
}

__global__ void count(const int *a, int n) {
	for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, a[i]);
	if (threadIdx.x == 0) shared_by_both += 2;
}

__global__ void sample(float *out, cudaTextureObject_t image, cudaTextureObject_t line) {
	out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 1.5f) + tex1Dfetch<float>(line, threadIdx.x);
}

__global__ void draw(cudaSurfaceObject_t image) {
	surf2Dwrite(float(threadIdx.x + 100), image, threadIdx.x * 4, 1);
}

__global__ void meet(int *a) {
	extern __shared__ int room[];
	room[threadIdx.x] = blockIdx.x;
	atomicAdd(a, 1);
	cooperative_groups::this_grid().sync();
	if (threadIdx.x == 0) a[1 + blockIdx.x] = a[0] + room[0];
}

static void linear_memory() {
	enum { N = 1000 };
	int host[N], *device, values[4] = {1, 2, 3, 4}, sum;
	for (int i = 0; i < N; i++) host[i] = i;
	OK(cudaMalloc(&device, sizeof host));
	OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
	OK(cudaMemcpyToSymbol(weights, values, sizeof values));
	scale<<<(N + 255) / 256, 256>>>(device, N, 3);
	count<<<1, 64>>>(device, N);
	OK(cudaDeviceSynchronize());
	OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault));
	OK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
	CHECK(host[10] == 33 && host[999] == 3001);
	CHECK(sum == 999 * 1000 / 2 * 3 + 250 * 10);
	CHECK(shared_by_both == 42);
	void *at;
	size_t bytes;
	OK(cudaGetSymbolAddress(&at, total));
	OK(cudaGetSymbolSize(&bytes, weights));
	CHECK(bytes == 16);
	OK(cudaMemset(at, 0, 4));
	OK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
	CHECK(sum == 0);
	CHECK(cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
	CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
	OK(cudaFree(device));
	CHECK(cudaFree(device) == cudaErrorInvalidValue);
}

static void pitched_memory() {
	int host[5][7], back[5][7] = {}, *device;
	size_t pitch;
	for (int i = 0; i < 35; i++) host[i / 7][i % 7] = i;
	OK(cudaMallocPitch(&device, &pitch, 7 * sizeof(int), 5));
	CHECK(pitch >= 28 && pitch % 32 == 0);
	OK(cudaMemcpy2D(device, pitch, host, 28, 28, 5, cudaMemcpyHostToDevice));
	OK(cudaMemset2D((char *)device + pitch, pitch, 0, 8, 2));
	OK(cudaMemcpy2D(back, 28, device, pitch, 28, 5, cudaMemcpyDeviceToHost));
	CHECK(back[0][6] == 6 && back[1][1] == 0 && back[1][2] == 9 && back[4][6] == 34);
	OK(cudaFree(device));

	cudaPitchedPtr box;
	int cube[2][3][4], out[2][3][4];
	for (int i = 0; i < 24; i++) cube[i / 12][i / 4 % 3][i % 4] = i;
	OK(cudaMalloc3D(&box, make_cudaExtent(16, 3, 2)));
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(cube, 16, 4, 3);
	p.dstPtr = box;
	p.extent = make_cudaExtent(16, 3, 2);
	p.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&p));
	p.srcPtr = box;
	p.dstPtr = make_cudaPitchedPtr(out, 16, 4, 3);
	p.kind = cudaMemcpyDeviceToHost;
	OK(cudaMemcpy3D(&p));
	CHECK(memcmp(cube, out, sizeof cube) == 0);
	OK(cudaFree(box.ptr));
}

static void memory_of_both() {
	int *managed, *pinned, *second, *mapped = (int *)malloc(4096), *at;
	OK(cudaMallocManaged(&managed, 4000));
	OK(cudaMallocHost(&pinned, 4000));
	OK(cudaHostAlloc(&second, 4000, cudaHostAllocMapped));
	for (int i = 0; i < 1000; i++) managed[i] = pinned[i] = second[i] = mapped[i] = i;
	OK(cudaHostRegister(mapped, 4000, cudaHostRegisterMapped));
	OK(cudaHostGetDevicePointer(&at, mapped, 0));
	scale<<<4, 256>>>(managed, 1000, 1);
	scale<<<4, 256>>>(pinned, 1000, 2);
	scale<<<4, 256>>>(second, 1000, 3);
	scale<<<4, 256>>>(at, 1000, 4);
	OK(cudaDeviceSynchronize());
	CHECK(managed[999] == 999 + 4 && pinned[999] == 1998 + 4 && second[999] == 2997 + 4 && mapped[999] == 3996 + 4);
	OK(cudaHostUnregister(mapped));
	CHECK(mapped[999] == 4000);
	cudaPointerAttributes about;
	OK(cudaPointerGetAttributes(&about, managed));
	CHECK(about.type == cudaMemoryTypeManaged);
	OK(cudaPointerGetAttributes(&about, &at));
	CHECK(about.type == cudaMemoryTypeUnregistered);
	OK(cudaFree(managed));
	OK(cudaFreeHost(pinned));
	OK(cudaFreeHost(second));
	free(mapped);
}

static void textures_and_surfaces() {
	float texels[2][8], *device, *out, got[8];
	for (int i = 0; i < 16; i++) texels[i / 8][i % 8] = i;
	cudaArray_t array;
	const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	OK(cudaMallocArray(&array, &format, 8, 2, cudaArraySurfaceLoadStore));
	OK(cudaMemcpy2DToArray(array, 0, 0, texels, 32, 32, 2, cudaMemcpyHostToDevice));
	OK(cudaMalloc(&device, 32));
	OK(cudaMalloc(&out, 32));
	OK(cudaMemcpy(device, texels, 32, cudaMemcpyHostToDevice));
	cudaResourceDesc from = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t image, line;
	from.resType = cudaResourceTypeArray;
	from.res.array.array = array;
	OK(cudaCreateTextureObject(&image, &from, &how, NULL));
	cudaSurfaceObject_t surface;
	OK(cudaCreateSurfaceObject(&surface, &from));
	cudaResourceDesc plain = {};
	plain.resType = cudaResourceTypeLinear;
	plain.res.linear.devPtr = device;
	plain.res.linear.desc = format;
	plain.res.linear.sizeInBytes = 32;
	OK(cudaCreateTextureObject(&line, &plain, &how, NULL));
	sample<<<1, 8>>>(out, image, line);
	OK(cudaMemcpy(got, out, 32, cudaMemcpyDeviceToHost));
	CHECK(got[0] == 8 && got[7] == 22);
	draw<<<1, 8>>>(surface);
	OK(cudaMemset(device, 0, 32));
	sample<<<1, 8>>>(out, image, line);
	OK(cudaMemcpy(got, out, 32, cudaMemcpyDeviceToHost));
	CHECK(got[0] == 100 && got[7] == 107);
	OK(cudaMemcpy2DFromArray(texels, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
	CHECK(texels[0][3] == 3 && texels[1][3] == 103);
	OK(cudaDestroyTextureObject(image));
	OK(cudaDestroySurfaceObject(surface));
	OK(cudaFreeArray(array));
}

static void after(cudaStream_t stream, cudaError_t status, void *number) {
	*(int *)number = status == cudaSuccess ? 7 : 0;
}

static void streams_and_events() {
	cudaStream_t one, two;
	cudaEvent_t begin, end;
	int *device, host[64], called = 0;
	float ms = -1;
	OK(cudaStreamCreate(&one));
	OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
	OK(cudaEventCreate(&begin));
	OK(cudaEventCreate(&end));
	OK(cudaMallocAsync((void **)&device, sizeof host, one));
	OK(cudaEventRecord(begin, one));
	OK(cudaMemsetAsync(device, 0, sizeof host, one));
	scale<<<1, 64, 0, one>>>(device, 64, 1);
	OK(cudaEventRecord(end, one));
	OK(cudaStreamWaitEvent(two, end, 0));
	OK(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, two));
	OK(cudaStreamAddCallback(two, after, &called, 0));
	OK(cudaStreamSynchronize(two));
	OK(cudaEventSynchronize(end));
	CHECK(host[3] == 4 && called == 7);
	OK(cudaEventElapsedTime(&ms, begin, end));
	CHECK(ms >= 0);
	OK(cudaEventDestroy(begin));
	CHECK(cudaEventElapsedTime(&ms, 0, end) == cudaErrorInvalidResourceHandle);
	OK(cudaFreeAsync(device, one));
	OK(cudaStreamDestroy(one));
}

static void launches() {
	int *a, got[5], blocks = 0;
	OK(cudaMalloc(&a, sizeof got));
	OK(cudaMemset(a, 0, sizeof got));
	void *args[] = {&a};
	OK(cudaLaunchCooperativeKernel((void *)meet, dim3(4), dim3(32), args, 32 * sizeof(int), 0));
	OK(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
	CHECK(got[0] == 128 && got[1] == 128 && got[4] == 131);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
	CHECK(blocks >= 1);
	CHECK(cudaLaunchCooperativeKernel((void *)meet, dim3(100000), dim3(32), args, 32 * sizeof(int), 0) ==
		  cudaErrorCooperativeLaunchTooLarge);
	CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
	CHECK(cudaLaunchCooperativeKernel((void *)meet, dim3(1), dim3(2000), args, 0, 0) == cudaErrorInvalidConfiguration);
	cudaGetLastError();
	OK(cudaDeviceSynchronize());
	int best, grid;
	OK(cudaOccupancyMaxPotentialBlockSize(&grid, &best, scale));
	CHECK(best >= 32 && grid >= 1);
	cudaFuncAttributes about;
	OK(cudaFuncGetAttributes(&about, meet));
	CHECK(about.maxThreadsPerBlock >= 256 && about.numRegs > 0);
	scale<<<1, 2000>>>(a, 1, 1);
	CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
	meet<<<1, 32, 60000>>>(a);
	CHECK(cudaGetLastError() != cudaSuccess);
	OK(cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
	OK(cudaFree(a));
}

static void devices() {
	cudaDeviceProp about;
	int n = 0, value = 0, version = 0;
	size_t free_bytes, all;
	OK(cudaGetDeviceCount(&n));
	OK(cudaSetDevice(0));
	CHECK(n == 1 && cudaSetDevice(1) == cudaErrorInvalidDevice);
	cudaGetLastError();
	OK(cudaGetDeviceProperties(&about, 0));
	CHECK(about.warpSize == 32 && about.multiProcessorCount > 0 && strlen(about.name) > 0);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	CHECK(value == about.multiProcessorCount);
	OK(cudaMemGetInfo(&free_bytes, &all));
	CHECK(free_bytes <= all && all == about.totalGlobalMem);
	OK(cudaRuntimeGetVersion(&version));
	CHECK(version >= 12000);
	CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
	CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
}

#if CUDART_VERSION >= 13000
static const cudaMemLocation GPU = {cudaMemLocationTypeDevice, 0}, HOST = {cudaMemLocationTypeHost, 0};
#define PREFETCH(at, bytes, to) cudaMemPrefetchAsync(at, bytes, to, 0, 0)
#else
static const int GPU = 0, HOST = cudaCpuDeviceId;
#define PREFETCH(at, bytes, to) cudaMemPrefetchAsync(at, bytes, to, 0)
#endif

static int known(cudaMemRangeAttribute attribute, const void *at, size_t bytes) {
	int value = 77;
	OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes));
	return value;
}

static void advice() {
	char *managed, *device;
	const size_t half = 1 << 16, all = 2 * half;
	int value, by[3];
	OK(cudaMallocManaged(&managed, all));
	OK(cudaMalloc(&device, all));
	CHECK(known(cudaMemRangeAttributeReadMostly, managed, all) == 0);
	CHECK(known(cudaMemRangeAttributePreferredLocation, managed, all) == cudaInvalidDeviceId);
	OK(cudaMemAdvise(managed, all, cudaMemAdviseSetReadMostly, GPU));
	OK(cudaMemAdvise(managed + half, half, cudaMemAdviseUnsetReadMostly, GPU));
	CHECK(known(cudaMemRangeAttributeReadMostly, managed, half) == 1);
	CHECK(known(cudaMemRangeAttributeReadMostly, managed, half + 1) == 0);
	OK(cudaMemAdvise(managed, half, cudaMemAdviseSetPreferredLocation, HOST));
	OK(cudaMemAdvise(managed + half, half, cudaMemAdviseSetPreferredLocation, GPU));
	CHECK(known(cudaMemRangeAttributePreferredLocation, managed, half) == cudaCpuDeviceId);
	CHECK(known(cudaMemRangeAttributePreferredLocation, managed + half, 8) == 0);
	CHECK(known(cudaMemRangeAttributePreferredLocation, managed, all) == cudaInvalidDeviceId);
	OK(cudaMemAdvise(managed, all, cudaMemAdviseSetAccessedBy, GPU));
	OK(cudaMemAdvise(managed, half, cudaMemAdviseSetAccessedBy, HOST));
	OK(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, managed, half));
	CHECK(by[0] == 0 && by[1] == cudaCpuDeviceId && by[2] == cudaInvalidDeviceId);
	OK(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, managed, all));
	CHECK(by[0] == 0 && by[1] == cudaInvalidDeviceId);
	OK(PREFETCH(managed, all, GPU));
	void *outs[] = {&value, &by[0]};
	size_t sizes[] = {sizeof value, sizeof by[0]};
	cudaMemRangeAttribute asked[] = {cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributeReadMostly};
	OK(cudaMemRangeGetAttributes(outs, sizes, asked, 2, managed, half));
	CHECK(value == 0 && by[0] == 1);
	const auto prefetch_12 = (cudaError_t(*)(const void *, size_t, int, cudaStream_t))dlsym(RTLD_DEFAULT,
																						  "cudaMemPrefetchAsync");
	OK(prefetch_12(managed, half, cudaCpuDeviceId, 0)); // as a program of CUDA 12 calls it
	CHECK(known(cudaMemRangeAttributeLastPrefetchLocation, managed, half) == cudaCpuDeviceId);
	OK(prefetch_12(managed, half, 0, 0));
	CHECK(known(cudaMemRangeAttributeLastPrefetchLocation, managed, half) == 0);
	CHECK(PREFETCH(device, all, GPU) == cudaErrorInvalidValue);
	CHECK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, device, 8) == cudaErrorInvalidValue);
	CHECK(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, managed, 8) == cudaErrorInvalidValue);
	cudaGetLastError();
	OK(cudaFree(managed));
	OK(cudaFree(device));
}

static size_t counted(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
	unsigned long long value = 77;
	OK(cudaMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

static void pools() {
	cudaMemPool_t pool, usual, now;
	cudaMemPoolProps props = {};
	unsigned long long threshold = 3000, zero = 0;
	void *a, *b, *c;
	int reuse = 0;
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	OK(cudaMemPoolCreate(&pool, &props));
	OK(cudaDeviceGetDefaultMemPool(&usual, 0));
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
	CHECK(counted(pool, cudaMemPoolAttrReleaseThreshold) == 3000 && counted(usual, cudaMemPoolAttrReleaseThreshold) == 0);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
	reuse = 1;
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
	CHECK(reuse == 0);
	OK(cudaMallocFromPoolAsync(&a, 4000, pool, 0));
	OK(cudaDeviceSetMemPool(0, pool));
	OK(cudaDeviceGetMemPool(&now, 0));
	CHECK(now == pool && now != usual);
	OK(cudaMallocAsync(&b, 1000, 0));
	CHECK(counted(pool, cudaMemPoolAttrUsedMemCurrent) == 5000 && counted(usual, cudaMemPoolAttrUsedMemCurrent) == 0);
	OK(cudaFreeAsync(a, 0));
	OK(cudaStreamSynchronize(0));
	CHECK(counted(pool, cudaMemPoolAttrUsedMemCurrent) == 1000 && counted(pool, cudaMemPoolAttrUsedMemHigh) == 5000);
	CHECK(counted(pool, cudaMemPoolAttrReservedMemCurrent) == 3000);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
	CHECK(counted(pool, cudaMemPoolAttrUsedMemHigh) == 1000);
	CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &threshold) == cudaErrorInvalidValue);
	OK(cudaMemPoolTrimTo(pool, 0));
	CHECK(counted(pool, cudaMemPoolAttrReservedMemCurrent) == 1000);
	OK(cudaMemPoolDestroy(pool));
	OK(cudaMallocAsync(&c, 500, 0));
	CHECK(counted(usual, cudaMemPoolAttrUsedMemCurrent) == 500);
	OK(cudaFree(b));
	OK(cudaFreeAsync(c, 0));
	CHECK(cudaMemPoolDestroy(usual) == cudaErrorInvalidValue);
	cudaGetLastError();
}

static void stream_attributes() {
	cudaStream_t one, two;
	cudaStreamAttrValue value = {}, got = {};
	int p2p;
	OK(cudaStreamCreate(&one));
	OK(cudaStreamCreateWithPriority(&two, cudaStreamNonBlocking, -2));
	value.accessPolicyWindow.base_ptr = &value;
	value.accessPolicyWindow.num_bytes = 4096;
	value.accessPolicyWindow.hitRatio = 0.5f;
	value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
	value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
	OK(cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value));
	OK(cudaStreamGetAttribute(two, cudaStreamAttributeAccessPolicyWindow, &got));
	CHECK(got.accessPolicyWindow.num_bytes == 0);
	OK(cudaStreamGetAttribute(two, cudaLaunchAttributePriority, &got));
	CHECK(got.priority == -2);
	OK(cudaStreamCopyAttributes(two, one));
	OK(cudaStreamGetAttribute(two, cudaStreamAttributeAccessPolicyWindow, &got));
	CHECK(memcmp(&got.accessPolicyWindow, &value.accessPolicyWindow, sizeof got.accessPolicyWindow) == 0);
	value.accessPolicyWindow.hitRatio = 2;
	CHECK(cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value) == cudaErrorInvalidValue);
	CHECK(cudaStreamSetAttribute(one, cudaLaunchAttributeCooperative, &value) == cudaErrorInvalidValue);
	CHECK(cudaDeviceGetP2PAttribute(&p2p, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
	cudaGetLastError();
	OK(cudaStreamDestroy(one));
	OK(cudaStreamDestroy(two));
}

int main(int argc, char **argv) {
	linear_memory();
	pitched_memory();
	memory_of_both();
	textures_and_surfaces();
	streams_and_events();
	launches();
	devices();
	advice();
	pools();
	stream_attributes();
	printf("%d failures, %d arguments\n", failures, argc - 1);
	return failures ? 1 : argc > 1 ? atoi(argv[1]) : 0;
}
