// Loads of neighboring words of shared memory, which ptxas joins, and one load that is written twice.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void rows(const float *in, float *out) {
	__shared__ float tile[4][32];
	const int at = threadIdx.y * 32 + threadIdx.x;
	tile[threadIdx.y][threadIdx.x] = __ldg(in + at) + __ldg(in + at);
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++) sum += tile[threadIdx.y][k];
	out[at] = sum;
}

// The first word is in a register, so that one of 32 is not loaded, and three of an aligned four are.
__global__ void total(float *out) {
	__shared__ float part[32];
	const float own = threadIdx.x;
	part[threadIdx.x] = own;
	__syncthreads();
	if (threadIdx.x) return;
	float sum = own;
	for (int k = 1; k < 32; k++) sum += part[k];
	*out = sum;
}

int main() {
	float *buffer, sum = 0;
	cudaMallocManaged(&buffer, 2 * 128 * sizeof *buffer);
	for (int i = 0; i < 128; i++) buffer[i] = 1;
	rows<<<1, dim3(32, 4)>>>(buffer, buffer + 128);
	cudaDeviceSynchronize();
	for (int i = 0; i < 128; i++) sum += buffer[128 + i];
	printf("%g\n", sum);
	total<<<1, 32>>>(buffer);
	cudaDeviceSynchronize();
	printf("%g\n", *buffer);
}
