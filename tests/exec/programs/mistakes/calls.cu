// Calls that fail, and launches that are refused.
#include "cases.h"

__device__ int table[16];
extern __shared__ int dynamic[];

__global__ void use_table(int *x) {
	dynamic[threadIdx.x] = table[threadIdx.x % 16];
	x[threadIdx.x] = dynamic[threadIdx.x];
}

CASE("copy the wrong way") {
	int *x = zeros(64);
	cudaMemcpy(host, x, 64 * sizeof(int), cudaMemcpyHostToDevice); // <- copy the wrong way: api: source and destination swapped|host memory; check
	cudaFree(x);
}

CASE("copy of too much") {
	int *x = zeros(64);
	cudaMemcpy(x, host, 100 * sizeof(int), cudaMemcpyHostToDevice); // <- copy of too much: api: 400 bytes, but the allocation .* 256; check
	cudaFree(x);
}

CASE("copy to nothing") {
	cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice); // <- copy to nothing: api: null pointer; check
}

CASE("copy to a variable's name") {
	cudaMemcpy(table, host, sizeof table, cudaMemcpyHostToDevice); // <- copy to a variable's name: api: host memory|variable; check what each call returns
}

CASE("fill of host memory") {
	cudaMemset(host, 0, sizeof host); // <- fill of host memory: api: not device memory; use memset for host memory
}

CASE("too many threads") {
	int *x = zeros(2048);
	use_table<<<1, 2048, 8192>>>(x); // <- too many threads: api: cudaErrorInvalid; check
	take(x);
}

CASE("too much shared memory") {
	int *x = zeros(64);
	use_table<<<1, 64, 100000>>>(x); // <- too much shared memory: api: 49152 are allowed; first call cudaFuncSetAttribute
	take(x);
}

CASE("grid too high") {
	int *x = zeros(64);
	use_table<<<dim3(1, 100000), 64, 256>>>(x); // <- grid too high: api: cudaErrorInvalid; check
	take(x);
}

CASE("blocks of a division") {
	int *x = zeros(64);
	const int n = 64, block = 128;
	use_table<<<n / block, block, 512>>>(x); // <- blocks of a division: api: grid is empty; check what each call returns
	take(x);
}

CASE("free of host memory") {
	void *x = malloc(64);
	cudaFree(x); // <- free of host memory: api: malloc or new; give that back with free or delete
	free(x);
}

CASE("freed twice") {
	int *x = zeros(64);
	cudaFree(x);
	cudaFree(x); // <- freed twice: api: freed already; check what each call returns
}

CASE("free of a part") {
	int *x = zeros(64);
	for (int i = 0; i < 4; i++) x++;
	cudaFree(x); // <- free of a part: api: into an allocation; check what each call returns
	cudaFree(x - 4);
}

CASE("more than there is") {
	int *x = nullptr;
	cudaMalloc(&x, size_t(-1) / 2); // <- more than there is: api: cudaErrorMemoryAllocation; check
}

CASE("event never recorded") {
	float ms;
	cudaEvent_t event;
	cudaEventCreate(&event);
	cudaEventElapsedTime(&ms, event, event); // <- event never recorded: api: cudaErrorInvalid.* the first event was not recorded; call cudaEventRecord
	cudaEventDestroy(event);
}

CASE("wide pitch") {
	int *x = zeros(64);
	cudaMemcpy2D(x, 16, host, 64, 32, 4, cudaMemcpyHostToDevice); // <- wide pitch: api: longer than its pitch; check
	cudaFree(x);
}

CASE("never freed") {
	numbers(64); // <~ never freed: note: was not freed|were not freed|not freed; .
}
