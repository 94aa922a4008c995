// A race, a read past the end, a launch that does not end, a function that gpulab lacks, and a crash, by the first argument.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void mirror(int *a) {
	__shared__ int s[64];
	s[threadIdx.x] = a[threadIdx.x];
	a[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void beyond(int *a) {
	a[threadIdx.x + 1000] = 1;
}

__global__ void hello() {
	printf("kernel\n");
}

__global__ void endless(volatile int *a) {
	while (!*a) {}
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	int *a;
	cudaMalloc(&a, 256);
	cudaMemset(a, 0, 256);
	if (!strcmp(what, "race")) mirror<<<1, 64>>>(a);
	if (!strcmp(what, "fault")) {
		beyond<<<1, 4>>>(a);
		printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	}
	if (!strcmp(what, "order")) {
		printf("before\n");
		hello<<<1, 1>>>();
		cudaDeviceSynchronize();
		char line[16] = "";
		printf("after %s", fgets(line, sizeof line, stdin));
	}
	cudaIpcMemHandle_t handle;
	if (!strcmp(what, "missing")) cudaIpcGetMemHandle(&handle, a);
	if (!strcmp(what, "crash")) abort();
	if (!strcmp(what, "endless")) endless<<<1, 1>>>(a);
	return 0;
}
