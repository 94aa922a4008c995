#include <cstdio>

__global__ void hist(unsigned *bins, const unsigned char *data, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[data[i]], 1);
}

__global__ void hist_shared(unsigned *bins, const unsigned char *data, int n)
{
	__shared__ unsigned own[256];
	own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[data[i]], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() { printf("gpulab leaves this out\n"); }
