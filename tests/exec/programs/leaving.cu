// Loads that only the last threads use. ptxas moves them behind the branch at which the others leave, unless a thread
// that leaves uses them, too.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int SIZE = 64;

__global__ void moved(const int *in, int *out, int n) {
	__shared__ int words[SIZE];
	const int own = threadIdx.x;
	words[own] = in[own];
	__syncthreads();
	const int first = words[SIZE - 1 - own], second = words[own ^ 1];
	if (own < n) out[own] = first;
	if (own + SIZE < n) out[own + SIZE] = second;
}

__global__ void used(const int *in, int *out, int n) {
	__shared__ int words[SIZE];
	const int own = threadIdx.x;
	words[own] = in[own];
	__syncthreads();
	const int first = words[SIZE - 1 - own], second = words[own ^ 1];
	if (own < n) out[own] = first + second;
	if (own + SIZE < n) out[own + SIZE] = second;
}

__global__ void read_only(const int *__restrict__ in, int *__restrict__ out, int n) {
	const int own = threadIdx.x;
	const int first = in[SIZE - 1 - own], second = in[own ^ 1];
	if (own < n) out[own] = first;
	if (own + SIZE < n) out[own + SIZE] = second;
}

int main() {
	int *buffer, sum = 0;
	cudaMallocManaged(&buffer, 3 * SIZE * sizeof *buffer);
	for (int i = 0; i < 3 * SIZE; i++) buffer[i] = i;
	moved<<<1, SIZE>>>(buffer, buffer + SIZE, SIZE);
	used<<<1, SIZE>>>(buffer, buffer + SIZE, SIZE);
	read_only<<<1, SIZE>>>(buffer, buffer + SIZE, SIZE);
	cudaDeviceSynchronize();
	for (int i = 0; i < SIZE; i++) sum += buffer[SIZE + i];
	printf("%d\n", sum);
}
