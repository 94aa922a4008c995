// What events measure around a kernel, around host code, and around both.
#include <cstdio>

__global__ void add(int *p) {
	p[threadIdx.x]++;
}

static float between(int launches, long work, int *p) {
	cudaEvent_t from, to;
	float ms;
	volatile long sum = 0;
	cudaEventCreate(&from);
	cudaEventCreate(&to);
	cudaEventRecord(from);
	for (int i = 0; i < launches; i++) add<<<1, 32>>>(p);
	for (long i = 0; i < work; i++) sum = sum + i;
	cudaEventRecord(to);
	cudaEventSynchronize(to);
	cudaEventElapsedTime(&ms, from, to);
	return ms;
}

int main() {
	int *p;
	cudaMalloc(&p, 128);
	cudaMemset(p, 0, 128);
	between(1, 0, p);
	printf("kernel %.9g\n", between(1, 0, p));
	printf("kernels %.9g\n", between(3, 0, p));
	printf("host %.9g\n", between(0, 50000000, p));
	printf("both %.9g\n", between(1, 50000000, p));
	printf("kernel %.9g\n", between(1, 0, p));
}
