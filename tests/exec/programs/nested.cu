// Dynamic parallelism: a kernel that launches a kernel.
#include <cstdio>

__global__ void child(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

__global__ void parent(int *a) {
	child<<<1, 32>>>(a);
}

int main() {
	int *a;
	cudaMalloc(&a, 128);
	parent<<<1, 1>>>(a);
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
