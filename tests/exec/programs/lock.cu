// A lock that lanes of one warp wait for; and, as "inside", one that is released on the side of the branch on which it was taken.
#include <cstdio>
#include <cstring>

__global__ void all_lanes(int *lock, int *value) {
	while (atomicExch(lock, 1) != 0) {
	}
	*value += 1;
	atomicExch(lock, 0);
}
__global__ void inside(int *lock, int *value) {
	for (bool done = false; !done;)
		if (atomicExch(lock, 1) == 0) {
			__threadfence();
			*value += 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
}

int main(int argc, char **argv) {
	int *p, h[2] = {0, 0};
	cudaMalloc(&p, 8);
	cudaMemcpy(p, h, 8, cudaMemcpyHostToDevice);
	if (argc > 1 && !strcmp(argv[1], "inside"))
		inside<<<2, 64>>>(p, p + 1);
	else
		all_lanes<<<2, 64>>>(p, p + 1);
	cudaError_t e = cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost);
	printf("%s, %d\n", cudaGetErrorString(e), h[1]);
}
