// Places taken from a counter, a sum by shared floating-point atomics, and a kernel without either.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void compacted(int *out, const int *in, int *next) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (in[i] & 1) out[atomicAdd(next, 1)] = in[i];
}

__global__ void summed(float *out, const int *in) {
	__shared__ float sum;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	atomicAdd(&sum, (float)in[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = sum;
}

__global__ void copied(int *out, const int *in, int *next) {
	out[threadIdx.x] = in[threadIdx.x];
	atomicAdd(next, 1);
}

int main() {
	int *words;
	cudaMallocManaged(&words, 257 * sizeof *words);
	for (int i = 0; i < 257; i++) words[i] = i < 256 ? i : 0;
	compacted<<<1, 128>>>(words + 128, words, words + 256);
	summed<<<1, 128>>>((float *)words + 128, words);
	copied<<<1, 128>>>(words + 128, words, words + 256);
	cudaDeviceSynchronize();
	printf("%d\n", words[256]);
}
