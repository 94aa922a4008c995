// Pointers that a kernel cannot use, and shared memory that the launch did not ask for: a case for each word.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Inner {
	int n;
	float *values;
};
struct Outer {
	double scale;
	Inner parts[2];
};

__global__ void read(const int *p, int *out) {
	*out = *p;
}
__global__ void by_value(Outer o, float *out) {
	*out = o.parts[1].values[3];
}
__global__ void by_pointer(const Outer *o, float *out) {
	*out = o->parts[0].values[0];
}
__global__ void unused_array(float *out) {
	extern __shared__ float other[];
	other[threadIdx.x] = 1;
	out[threadIdx.x] = other[threadIdx.x];
}
__global__ void reverse(float *out) {
	extern __shared__ float line[];
	line[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

__device__ int symbol[4];
__global__ void far(int *p, int n) {
	if (n < 0) printf("%d %d\n", n, symbol[0]);
	p[n] = 1;
}
__global__ void product(int *p, int row, int width) {
	int at = row * width + threadIdx.x; p[at] = 1;
}

static int variable = 1, zeros[1000];

int main(int argc, char **argv) {
	const char *word = argc > 1 ? argv[1] : "";
	int on_stack = 1, *out;
	float *results;
	Outer o = {}, *on_device;
	cudaMalloc(&out, 4);
	cudaMalloc(&results, 256);
	cudaMalloc(&on_device, sizeof o);
	for (Inner &part : o.parts) part.values = (float *)malloc(1 << 20);
	if (!strcmp(word, "stack")) read<<<1, 1>>>(&on_stack, out);
	if (!strcmp(word, "heap")) read<<<1, 1>>>((int *)o.parts[0].values, out);
	if (!strcmp(word, "variable")) read<<<1, 1>>>(&variable, out);
	if (!strcmp(word, "zeros")) read<<<1, 1>>>(zeros + 500, out);
	if (!strcmp(word, "never set")) read<<<1, 1>>>((int *)0x123400000000, out);
	if (!strcmp(word, "value")) by_value<<<1, 1>>>(o, results);
	if (!strcmp(word, "deep")) {
		cudaMemcpy(on_device, &o, sizeof o, cudaMemcpyHostToDevice);
		by_pointer<<<1, 1>>>(on_device, results);
	}
	if (!strcmp(word, "far")) far<<<1, 1>>>(out, 100000000);
	if (!strcmp(word, "product")) product<<<1, 32>>>(out, 50000, 50000);
	if (!strcmp(word, "freed")) {
		cudaFree(out);
		far<<<1, 1>>>(out, 0);
	}
	if (!strcmp(word, "forgotten")) reverse<<<1, 64>>>(results);
	if (!strcmp(word, "half")) reverse<<<1, 64, 128>>>(results);
	if (!strcmp(word, "right")) {
		reverse<<<1, 64, 256>>>(results);
		unused_array<<<1, 64, 256>>>(results);
	}
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
