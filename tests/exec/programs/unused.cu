// Launches that write nothing. "right": each kernel has another purpose, or writes in another of its launches. Else the
// guard of one excludes every thread.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void guarded(int *a, int n) {
	if (threadIdx.x < n) a[threadIdx.x] = 1;
}

__global__ void level(const int *before, int *after, int n) {
	if (before[threadIdx.x] == n) after[threadIdx.x] = n + 1;
}

__global__ void draw(cudaSurfaceObject_t image) {
	surf2Dwrite(1, image, threadIdx.x * 4, 0);
}

__global__ void expect(const int *a) {
	assert(a[threadIdx.x] == 0);
}

__global__ void check(const int *a) {
	if (a[threadIdx.x]) __trap();
}

__global__ void busy(long long cycles) {
	const long long begin = clock64();
	while (clock64() - begin < cycles) {
	}
}

__global__ void warm_up() {}

static void right(int *a) {
	cudaArray_t array;
	cudaSurfaceObject_t image;
	cudaResourceDesc from = {};
	const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	cudaMallocArray(&array, &format, 32, 1, cudaArraySurfaceLoadStore);
	from.resType = cudaResourceTypeArray;
	from.res.array.array = array;
	cudaCreateSurfaceObject(&image, &from);
	warm_up<<<1, 32>>>();
	draw<<<1, 32>>>(image);
	expect<<<1, 32>>>(a);
	check<<<1, 32>>>(a);
	busy<<<1, 32>>>(100);
	for (int n = 1; n >= -1; n--) level<<<1, 32>>>(a, a + 32, n);
}

int main(int argc, char **argv) {
	int *a;
	cudaMalloc(&a, 256);
	cudaMemset(a, 0, 256);
	if (argc > 1 && !strcmp(argv[1], "right"))
		right(a);
	else
		for (int i = 0; i < 2; i++) guarded<<<1, 32>>>(a, 0);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
