// Calls that succeed, or fail elsewhere, and are mistakes: sizes, pointers, values.
#include "cases.h"
#include <vector>

__global__ void add(int *x, int n) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] += 1; // <- count for managed bytes: memory: past the end; cudaMallocManaged counts bytes: n \* sizeof
}

__global__ void add_all(int *x) {
	x[blockIdx.x * blockDim.x + threadIdx.x] += 1; // <- product that wraps: memory: past the end; \(size_t\)n \* n \* 4
}

CASE("copy from a vector itself") {
	const std::vector<int> v(512, 3);
	int *x = zeros(512);
	cudaMemcpy(x, &v, 512 * sizeof(int), cudaMemcpyHostToDevice); // <- copy from a vector itself: api: source is a std::vector itself; v\.data\(\)
	cudaFree(x);
}

CASE("copy to a vector itself") {
	static std::vector<int> v(16, 3);
	int *x = zeros(16);
	cudaMemcpy(&v, x, 16 * sizeof(int), cudaMemcpyDeviceToHost); // <- copy to a vector itself: api: destination is a std::vector itself; v\.data\(\)
	cudaFree(x);
	_Exit(0);
}

CASE("copy of more than a local array") {
	int few[8] = {0};
	int *x = zeros(4096);
	cudaMemcpy(x, few, 64 * sizeof(int), cudaMemcpyHostToDevice); // <- copy of more than a local array: api: 256 bytes, but the local variable that is the source has \d+ at most; .
	cudaFree(x);
}

CASE("copy of more than a block") {
	int *block = (int *)malloc(100), *x = zeros(100);
	cudaMemcpy(x, block, 100 * sizeof(int), cudaMemcpyHostToDevice); // <- copy of more than a block: api: block of malloc or new that is the source has 10\d at most; n \* sizeof\(element\)
	cudaFree(x);
	free(block);
}

CASE("copy to a mapped block") {
	int *x = zeros(1000000);
	cudaMemcpy(malloc(1000000), x, 4000000, cudaMemcpyDeviceToHost); // <- copy to a mapped block: api: the destination has 10\d+ at most; n \* sizeof\(element\)
	cudaFree(x);
}

static void capture(cudaStream_t s, int *x) {
	int local[16] = {1, 2, 3};
	cudaMemcpyAsync(x, local, sizeof local, cudaMemcpyHostToDevice, s);
}

CASE("captured local array") {
	int *x = zeros(16);
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCreate(&s);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	capture(s, x);
	cudaStreamEndCapture(s, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, s); // <- captured local array: api: source is a local variable of a function that has returned; .
	cudaStreamSynchronize(s);
	cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(s), cudaFree(x);
}

CASE("copy to itself, further on") {
	int *x = numbers(64);
	cudaMemcpy(x + 1, x, 63 * sizeof(int), cudaMemcpyDeviceToDevice); // <- copy to itself, further on: api: source and destination overlap; by way of other memory
	cudaFree(x);
}

CASE("free of a pointer's address") {
	int *x = zeros(64);
	cudaFree(&x); // <- free of a pointer's address: api: a pointer to device memory is there; pass it without the &
	cudaFree(x);
}

CASE("copy to a pointer's address") {
	int *x = zeros(64);
	cudaMemcpy(&x, host, 256, cudaMemcpyHostToDevice); // <- copy to a pointer's address: api: a pointer to device memory is there; pass it without the &
	cudaFree(x);
}

CASE("negative count") {
	int *x = zeros(64), n = 0;
	cudaMemcpy(x, host, (n - 1) * sizeof(int), cudaMemcpyHostToDevice); // <- negative count: api: -4 bytes; does not fit an int
	cudaFree(x);
}

CASE("negative product") {
	int *x, n = 25000;
	cudaMalloc(&x, n * n * 4); // <- negative product: api: -1794967296 bytes; does not fit an int
}

CASE("product of 0") {
	int *x, n = 32768;
	cudaMalloc(&x, n * n * 4); // <- product of 0: api: 0 bytes are allocated; does not fit an int
	add<<<1, 32>>>(x, 32);
}

CASE("product that wraps") {
	int *x, n = 46341;
	int bytes = n * n * 4;
	cudaMalloc(&x, bytes);
	cudaMemset(x, 0, bytes);
	add_all<<<(n + 255) / 256, 256>>>(x);
	cudaFree(x);
}

CASE("count for managed bytes") {
	const int n = 1000;
	int *x;
	cudaMallocManaged(&x, n);
	memset(x, 0, n);
	add<<<4, 256>>>(x, n);
	cudaDeviceSynchronize();
	cudaFree(x);
}

CASE("value and count swapped") {
	int *x = zeros(1000);
	cudaMemset(x, 1000 * sizeof(int), 0); // <- value and count swapped: api: 0 bytes are set to 4000; value comes before
	cudaFree(x);
}

CASE("fill with more than a byte") {
	int *x = zeros(64);
	cudaMemset(x, 1000, 256); // <- fill with more than a byte: api: set to 232, the low byte of 1000; by a kernel
	cudaFree(x);
}

CASE("fill of ints with 1") {
	int *x = zeros(64);
	cudaMemset(x, 1, 256);
	add<<<1, 64>>>(x, 64); // <- fill of ints with 1: api: an int there is 0x01010101, and not 1; set elements in a kernel
	cudaFree(x);
}

CASE("time of an event that nothing waits for") {
	int *x = zeros(64);
	float ms;
	cudaEvent_t from, to;
	cudaEventCreate(&from), cudaEventCreate(&to);
	cudaEventRecord(from);
	add<<<1, 64>>>(x, 64);
	cudaEventRecord(to);
	cudaEventElapsedTime(&ms, from, to); // <- time of an event that nothing waits for: api: nothing has waited for the second event; cudaEventSynchronize
	cudaEventDestroy(from), cudaEventDestroy(to), cudaFree(x);
}

__constant__ float weights[16];
__device__ int lookup[64];

__global__ void weigh(float *out) {
	float sum = 0;
	for (int k = 0; k < 16; k++) sum += weights[k]; // <- count for bytes of a variable: init: of weights.* cudaMemcpyToSymbol at host.cu:\d+ wrote 16 of its 64 bytes; multiply by sizeof
	out[threadIdx.x] = sum;
}

CASE("count for bytes of a variable") {
	const float some[16] = {1, 2, 3};
	cudaMemcpyToSymbol(weights, some, 16);
	int *x = zeros(32);
	weigh<<<1, 32>>>((float *)x);
	take(x, 32);
}

CASE("variable's address of the host") {
	add<<<1, 64>>>(lookup, 64); // <- variable's address of the host: api: parameter 1 is the address of lookup in host code; cudaGetSymbolAddress
}

__global__ void fetch(cudaTextureObject_t texture, int *out) { out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x); }

CASE("texture of freed memory") {
	int *x = numbers(32), *out = zeros(32);
	cudaTextureObject_t texture;
	cudaResourceDesc of = {};
	const cudaTextureDesc how = {};
	of.resType = cudaResourceTypeLinear;
	of.res.linear = {x, cudaCreateChannelDesc<int>(), 128};
	cudaCreateTextureObject(&texture, &of, &how, nullptr);
	cudaFree(x);
	fetch<<<1, 32>>>(texture, out); // <- texture of freed memory: api: a texture whose memory was freed; keep it until
	cudaDestroyTextureObject(texture), take(out, 32);
}

CASE("stream for bytes of shared memory") {
	int *x = zeros(64);
	cudaStream_t s;
	cudaStreamCreate(&s);
	add<<<1, 64, (size_t)s>>>(x, 64); // <- stream for bytes of shared memory: api: dynamic shared memory, is a stream; <<<grid, block, bytes, stream>>>
	cudaStreamDestroy(s), take(x, 64);
}

CASE("texture of rows without their pitch") {
	int *x = zeros(64);
	cudaTextureObject_t texture;
	cudaResourceDesc of = {};
	const cudaTextureDesc how = {};
	of.resType = cudaResourceTypePitch2D;
	of.res.pitch2D = {x, cudaCreateChannelDesc<int>(), 5, 8, 20};
	cudaCreateTextureObject(&texture, &of, &how, nullptr); // <- texture of rows without their pitch: api: row has 20 bytes, and a pitch of 20; pitch of cudaMallocPitch
	cudaFree(x);
}

CASE("count for bytes of an array's rows") {
	const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaMallocArray(&array, &floats, 64, 8);
	cudaMemcpy2DToArray(array, 0, 0, host, 256, 64, 8, cudaMemcpyHostToDevice); // <- count for bytes of an array's rows: api: 64 bytes of each row are copied, which has 64 elements; width \* sizeof\(element\)
	cudaFreeArray(array);
}

CASE("bytes for elements of a box") {
	const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaMemcpy3DParms p = {};
	cudaMalloc3DArray(&p.dstArray, &floats, make_cudaExtent(64, 4, 2));
	p.srcPtr = make_cudaPitchedPtr(host, 256, 64, 4), p.extent = make_cudaExtent(256, 4, 2), p.kind = cudaMemcpyHostToDevice;
	cudaMemcpy3D(&p); // <- bytes for elements of a box: api: rows of 1024 bytes, and a pitch of 256; widths count elements
	cudaFreeArray(p.dstArray);
}

__global__ void add_in(cudaPitchedPtr box) {
	((float *)((char *)box.ptr + blockIdx.x * box.pitch))[threadIdx.x] += 1; // <- elements for bytes of a box: init: cudaMemcpy3D at host.cu:\d+ wrote 512 of its 4 096 bytes; cudaMemcpy3D is in bytes
}

CASE("elements for bytes of a box") {
	cudaMemcpy3DParms p = {};
	cudaMalloc3D(&p.dstPtr, make_cudaExtent(256, 4, 2));
	p.srcPtr = make_cudaPitchedPtr(host, 256, 64, 4), p.extent = make_cudaExtent(64, 4, 2), p.kind = cudaMemcpyHostToDevice;
	cudaMemcpy3D(&p);
	add_in<<<8, 64>>>(p.dstPtr);
	cudaDeviceSynchronize();
	cudaFree(p.dstPtr.ptr);
}

CASE("registered twice") {
	cudaHostRegister(host, sizeof host, 0);
	cudaHostRegister(host, sizeof host, 0); // <- registered twice: api: cudaErrorHostMemoryAlreadyRegistered: part or all .* is already mapped; check
	cudaHostUnregister(host);
}

CASE("cycle in a graph") {
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t a, b;
	cudaGraphCreate(&graph, 0);
	cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
	cudaGraphAddEmptyNode(&b, graph, &a, 1);
#if CUDART_VERSION >= 13000
	cudaGraphAddDependencies(graph, &b, &a, nullptr, 1);
#else
	cudaGraphAddDependencies(graph, &b, &a, 1);
#endif
	cudaGraphInstantiate(&exec, graph, 0); // <- cycle in a graph: api: dependencies of the graph are a cycle; check
	cudaGraphDestroy(graph);
}

CASE("nothing copied back") {
	int *x = numbers(64);
	add<<<1, 64>>>(x, 64); // <~ nothing copied back: note: no copy to the host brought; .
	cudaDeviceSynchronize();
	cudaFree(x);
}

struct Owner {
	int *data = numbers(64);
	~Owner() { cudaFree(data); } // freed here
};

static void add_by_value(Owner owner) { add_all<<<1, 64>>>(owner.data); }

__global__ void add_again(int *x) { x[threadIdx.x] += 1; } // <- freed by a copy of the owner: memory: which was freed \(cudaFree at host\.cu:\d+\); keep the buffer

CASE("freed by a copy of the owner") {
	Owner owner;
	add_by_value(owner);
	add_again<<<1, 64>>>(owner.data);
	take(zeros(1));
}

CASE("function of a stream that copies") {
	int *x = zeros(64);
	cudaLaunchHostFunc(0, [](void *x) { cudaMemcpy(host, x, 256, cudaMemcpyDeviceToHost); }, x); // <- function of a stream that copies: api: calls the runtime, which CUDA does not permit; .
	cudaDeviceSynchronize();
	cudaFree(x);
}

CASE("executable graph after its end") {
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphCreate(&graph, 0);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphExecDestroy(exec);
	cudaGraphLaunch(exec, 0); // <- executable graph after its end: api: executable graph was destroyed; check
	cudaGraphDestroy(graph);
}

CASE("graph destroyed twice") {
	cudaGraph_t graph;
	cudaGraphCreate(&graph, 0);
	cudaGraphDestroy(graph);
	cudaGraphDestroy(graph); // <- graph destroyed twice: api: graph was destroyed; check
}

CASE("array freed twice") {
	const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaMallocArray(&array, &floats, 64, 8);
	cudaFreeArray(array);
	cudaFreeArray(array); // <- array freed twice: api: array was destroyed; check
}

CASE("properties of another device") {
	cudaDeviceProp about;
	cudaGetDeviceProperties(&about, 3); // <- properties of another device: api: there is one device, number 0; check
}
