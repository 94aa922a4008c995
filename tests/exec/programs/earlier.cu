// Kernels that use what others stored at places taken from a counter: directly, through copies, and through the program.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { N = 128, BYTES = N * sizeof(int) };

__global__ void compacted(int *out, int *next) {
	out[atomicAdd(next, 1) % N] = threadIdx.x;
}
__global__ void numbered(int *out, int *next) {
	out[threadIdx.x] = atomicAdd(next, 1) % N;
}
__global__ void raised(int *out, const int *in) {
	out[threadIdx.x] = (in[threadIdx.x] + 1) % N;
}

#define GATHER(name)                                                                                                   \
	__global__ void name(int *out, const int *list, const int *table) {                                                \
		out[threadIdx.x] = table[list[threadIdx.x] & (N - 1)];                                                         \
	}
GATHER(before)
GATHER(gathered)
GATHER(gathered_raised)
GATHER(gathered_numbers)
GATHER(after_fill)
GATHER(after_half_a_fill)
GATHER(after_device_copy)
GATHER(after_host_copy)
GATHER(after_free)

__global__ void branched(int *out, const int *list) {
	if (list[threadIdx.x] > 5) out[threadIdx.x] = 1;
}
__global__ void looped(int *out, const int *list) {
	__shared__ int words[N];
	words[threadIdx.x] = list[threadIdx.x];
	__syncthreads();
	int n = 0;
	while (n < N && words[n] != 3) n++;
	out[threadIdx.x] = n;
}
__global__ void selected(int *out, const int *list) {
	out[threadIdx.x] = list[threadIdx.x] > 5 ? 1 : 2;
}
#define SHAPED(name)                                                                                                   \
	__global__ void name(int *out) {                                                                                   \
		out[threadIdx.x] = blockIdx.x;                                                                                 \
	}
SHAPED(shaped_before)
SHAPED(shaped)
SHAPED(one_shape)

int main() {
	int *list, *more, *other, *out, *table, *next, host[N];
	for (int **p : {&list, &more, &other, &out, &table, &next}) {
		cudaMalloc(p, BYTES);
		cudaMemset(*p, 0, BYTES);
	}
	before<<<1, N>>>(out, list, table);
	compacted<<<1, N>>>(list, next);
	gathered<<<1, N>>>(out, list, table);
	branched<<<1, N>>>(out, list);
	looped<<<1, N>>>(out, list);
	selected<<<1, N>>>(out, list);
	raised<<<1, N>>>(more, list);
	gathered_raised<<<1, N>>>(out, more, table);
	numbered<<<1, N>>>(more, next);
	gathered_numbers<<<1, N>>>(out, more, table);
	cudaMemcpy(other, list, BYTES, cudaMemcpyDeviceToDevice);
	after_device_copy<<<1, N>>>(out, other, table);
	cudaMemset(list, 0, BYTES / 2);
	after_half_a_fill<<<1, N>>>(out, list, table);
	cudaMemset(list, 0, BYTES);
	after_fill<<<1, N>>>(out, list, table);
	for (int blocks : {1, 2}) shaped_before<<<blocks, N>>>(out);
	cudaMemcpy(host, other, BYTES, cudaMemcpyDeviceToHost);
	for (int blocks : {1, 2}) shaped<<<blocks, N>>>(out);
	for (int blocks : {2, 2}) one_shape<<<blocks, N>>>(out);
	cudaMemcpy(list, host, BYTES, cudaMemcpyHostToDevice);
	after_host_copy<<<1, N>>>(out, list, table);
	cudaFree(list);
	cudaMalloc(&list, BYTES);
	cudaMemset(list, 0, BYTES);
	after_free<<<1, N>>>(out, list, table);
	puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
