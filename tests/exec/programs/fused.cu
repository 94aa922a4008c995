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

int main() {
	float *buffer, sum = 0;
	cudaMallocManaged(&buffer, 2 * 128 * sizeof *buffer);
	for (int i = 0; i < 128; i++) buffer[i] = 1;
	rows<<<1, dim3(32, 4)>>>(buffer, buffer + 128);
	cudaDeviceSynchronize();
	for (int i = 0; i < 128; i++) sum += buffer[128 + i];
	printf("%g\n", sum);
}
