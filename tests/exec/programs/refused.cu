// Arguments that the runtime refuses: null pointers for results, and flags and values that it does not know.
#include <cstdio>
#include <cstdlib>

__global__ void set(int *p) {
	p[threadIdx.x] = 1;
}

__device__ int variable;

static int wrong;
#define IS(expected, call)                                                                                            \
	do {                                                                                                              \
		const cudaError_t is_ = (call);                                                                               \
		if (is_ != expected) printf("line %d: %s is %s\n", __LINE__, #call, cudaGetErrorName(is_)), wrong++; \
	} while (0)
#define NOT(...) IS(cudaErrorInvalidValue, __VA_ARGS__)

static void null_pointers() {
	char text[64];
	int n = 0;
	size_t bytes;
	cudaGraph_t graph;
	cudaEvent_t event;
	cudaFuncAttributes attributes;
	cudaLaunchConfig_t config = {};
	const cudaResourceDesc from = {};
	cudaTextureObject_t texture;
	config.numAttrs = 1;
	NOT(cudaGetDeviceCount(nullptr));
	NOT(cudaGetDevice(nullptr));
	NOT(cudaChooseDevice(nullptr, nullptr));
	NOT(cudaDeviceGetByPCIBusId(nullptr, nullptr));
	NOT(cudaDeviceGetPCIBusId(nullptr, 4, 0));
	NOT(cudaGetDeviceProperties(nullptr, 0));
	NOT(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
	NOT(cudaGetDeviceFlags(nullptr));
	NOT(cudaDeviceGetCacheConfig(nullptr));
	NOT(cudaDeviceCanAccessPeer(nullptr, 0, 0));
	NOT(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
	NOT(cudaRuntimeGetVersion(nullptr));
	NOT(cudaDriverGetVersion(nullptr));
	NOT(cudaMemGetInfo(nullptr, nullptr));
	NOT(cudaMemGetInfo(&bytes, nullptr));
	NOT(cudaMemGetInfo(nullptr, &bytes));
	NOT(cudaMalloc((void **)nullptr, 4));
	NOT(cudaMallocHost((void **)nullptr, 4));
	NOT(cudaHostAlloc((void **)nullptr, 4, 0));
	NOT(cudaMallocManaged((void **)nullptr, 4));
	NOT(cudaPointerGetAttributes(nullptr, text));
	NOT(cudaHostGetFlags(nullptr, text));
	NOT(cudaDeviceGetDefaultMemPool(nullptr, 0));
	NOT(cudaDeviceGetMemPool(nullptr, 0));
	NOT(cudaStreamCreate(nullptr));
	NOT(cudaStreamCreateWithPriority(nullptr, 0, 0));
	NOT(cudaStreamGetFlags(nullptr, nullptr));
	NOT(cudaStreamGetPriority(nullptr, nullptr));
	NOT(cudaStreamIsCapturing(nullptr, nullptr));
	NOT(cudaEventCreate(nullptr));
	IS(cudaSuccess, (cudaEventCreate(&event), cudaEventRecord(event)));
	NOT(cudaEventElapsedTime(nullptr, event, event));
	NOT(cudaGraphCreate(nullptr, 0));
	IS(cudaSuccess, cudaGraphCreate(&graph, 0));
	NOT(cudaGraphClone(nullptr, graph));
	NOT(cudaGraphInstantiate(nullptr, graph, 0));
	NOT(cudaGraphGetNodes(graph, nullptr, nullptr));
	NOT(cudaGraphNodeGetType(nullptr, nullptr));
	NOT(cudaFuncGetAttributes(nullptr, set));
	NOT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, set, 32, 0));
	NOT(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, set, 1, 32));
	NOT(cudaCreateTextureObject(nullptr, nullptr, nullptr, nullptr));
	NOT(cudaCreateTextureObject(&texture, &from, nullptr, nullptr));
	NOT(cudaCreateSurfaceObject(nullptr, nullptr));
	NOT(cudaGetSymbolAddress(nullptr, variable));
	NOT(cudaGetSymbolSize(nullptr, variable));
	NOT(cudaGetFuncBySymbol(nullptr, (const void *)set));
	NOT(cudaLaunchHostFunc(nullptr, nullptr, nullptr));
	NOT(cudaStreamAddCallback(nullptr, nullptr, nullptr, 0));
	NOT(cudaLaunchKernelExC(nullptr, (void *)set, nullptr));
	NOT(cudaLaunchKernelExC(&config, (void *)set, nullptr));
	IS(cudaSuccess, cudaSetValidDevices(nullptr, n));
	IS(cudaSuccess, cudaFuncGetAttributes(&attributes, set));
}

static void values() {
	int *p, *d, n, h[4] = {};
	cudaStream_t stream;
	cudaEvent_t event;
	NOT(cudaHostAlloc(&p, 4, 0xffff));
	NOT(cudaMallocManaged(&p, 4, 7));
	NOT(cudaMallocManaged(&p, 4, 0));
	IS(cudaSuccess, cudaMallocManaged(&p, 0));
	NOT(cudaStreamCreateWithFlags(&stream, 77));
	NOT(cudaEventCreateWithFlags(&event, 0xff));
	NOT(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
	NOT(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
	NOT(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)-1, 0));
	IS(cudaSuccess, cudaHostAlloc(&p, sizeof h, cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined));
	IS(cudaSuccess, cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToHost));
	IS(cudaSuccess, cudaFreeHost(p));
	IS(cudaSuccess, cudaMallocManaged(&p, sizeof h, cudaMemAttachHost));
	IS(cudaSuccess, cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToHost));
	IS(cudaSuccess, cudaMalloc(&d, sizeof h));
	NOT(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToHost));
	NOT(cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToHost));
	NOT(cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToHost));
	IS(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	IS(cudaSuccess, cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
	IS(cudaSuccess, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
}

int main() {
	null_pointers();
	values();
	printf("%d wrong\n", wrong);
}
