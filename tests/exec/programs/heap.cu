/* Objects of malloc in kernels that several launches share. The argument: what goes wrong. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int *kept[32];
__device__ int full;

__global__ void make() {
	kept[threadIdx.x] = (int *)malloc(sizeof(int) * (threadIdx.x + 1));
	kept[threadIdx.x][threadIdx.x] = threadIdx.x;
}
__global__ void use(int *sum) {
	atomicAdd(sum, kept[31 - threadIdx.x][31 - threadIdx.x]);
}
__global__ void drop() {
	free(kept[threadIdx.x]);
}
__global__ void late(int *sum) {
	*sum = kept[5][5];
}
__global__ void past(int *sum) {
	*sum = kept[5][6];
}
__global__ void exhaust() {
	void *all = NULL;
	full = 0;
	while (void *p = malloc(1 << 20)) {
		*(void **)p = all;
		all = p;
		full++;
	}
	while (all) {
		void *next = *(void **)all;
		free(all);
		all = next;
	}
}

int main(int argc, char **argv) {
	const char *how = argc > 1 ? argv[1] : "";
	int *sum, result = -1, times = -1;
	cudaMalloc(&sum, sizeof *sum);
	for (int i = 0; i < 3; i++) {
		cudaMemset(sum, 0, sizeof *sum);
		make<<<1, 32>>>();
		use<<<1, 32>>>(sum);
		if (!strcmp(how, "past")) past<<<1, 1>>>(sum);
		drop<<<1, 32>>>();
		if (!strcmp(how, "twice")) drop<<<1, 32>>>();
		if (!strcmp(how, "late")) late<<<1, 1>>>(sum);
	}
	make<<<1, 32>>>(); /* stays */
	exhaust<<<1, 1>>>();
	cudaMemcpyFromSymbol(&times, full, sizeof times);
	cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
	printf("%d, %s, %s\n", result, times > 4 && times < 8 ? "full" : "not full", cudaGetErrorName(cudaGetLastError()));
	return 0;
}
