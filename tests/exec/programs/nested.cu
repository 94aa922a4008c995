// Dynamic parallelism: kernels that launch a kernel, between others. With an argument: by a pointer.
#include <cstdio>

__device__ int total;
__global__ void child(int *a) {
	a[threadIdx.x] += threadIdx.x;
}

__global__ void parent(int *a) {
	child<<<1, 32>>>(a);
}

__device__ __noinline__ void in_function(int *a) {
	child<<<1, 32, 0, cudaStreamFireAndForget>>>(a);
}
__global__ void deep(int *a) {
	in_function(a);
}

__device__ void add(int *a) {
	atomicAdd(a, 1);
}
__device__ void (*volatile functions[])(int *) = {in_function, add};
__global__ void by_pointer(int *a, int i) {
	functions[i](a);
	total = 3;
}

int main(int argc, char **argv) {
	int *a, all[32], count;
	cudaMalloc(&a, sizeof all);
	cudaMemset(a, 0, sizeof all);
	if (argc > 1) {
		by_pointer<<<1, 1>>>(a, 0);
		printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
		return 0;
	}
	child<<<1, 32>>>(a);
	by_pointer<<<1, 1>>>(a, 1);
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	parent<<<1, 1>>>(a);
	printf("%s\n", cudaGetErrorName(cudaGetLastError()));
	deep<<<1, 1>>>(a);
	printf("%s\n", cudaGetErrorName(cudaGetLastError()));
	child<<<1, 32>>>(a);
	cudaMemcpy(all, a, sizeof all, cudaMemcpyDeviceToHost);
	cudaMemcpyFromSymbol(&count, total, sizeof count);
	printf("%d %d %d\n", all[0], all[31], count);
}
