// Calls that fail, and what the program does about it, by the word it gets.
#include <cstdio>
#include <cstring>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
template <int N> __global__ void times(int *x) { x[threadIdx.x] *= N; }
__device__ int counter;
extern __shared__ int more[];
__global__ void uses(int *x) { more[threadIdx.x] = 1; x[threadIdx.x] = more[threadIdx.x]; }

int main(int argc, char **argv)
{
	int *x, h[32] = {}, *null = nullptr;
	const char *word = argc > 1 ? argv[1] : "";
	cudaMalloc(&x, sizeof h);
	cudaMemset(x, 0, sizeof h);
	if (!strcmp(word, "large")) cudaMemcpy(x, h, 10 * sizeof h, cudaMemcpyHostToDevice);
	if (!strcmp(word, "swapped")) cudaMemcpy(x, h, sizeof h, cudaMemcpyDeviceToHost);
	if (!strcmp(word, "null")) cudaMemcpy(null, h, sizeof h, cudaMemcpyHostToDevice);
	if (!strcmp(word, "host")) cudaFree(h);
	if (!strcmp(word, "inside")) cudaFree(x + 1);
	if (!strcmp(word, "twice")) cudaFree(x);
	if (!strcmp(word, "twice")) cudaFree(x);
	if (!strcmp(word, "name")) cudaMemcpyToSymbol((const void *)"counter", h, sizeof *h, 0, cudaMemcpyHostToDevice);
	if (!strcmp(word, "fill")) cudaMemset(h, 0, sizeof h);
	if (!strcmp(word, "pitch")) cudaMemcpy2D(x, 8, h, 32, 16, 2, cudaMemcpyHostToDevice);
	if (!strcmp(word, "much")) cudaMalloc(&null, size_t(1) << 50);
	if (!strcmp(word, "threads")) twice<<<1, 2048>>>(x);
	if (!strcmp(word, "template")) times<3><<<1, 2048>>>(x);
	if (!strcmp(word, "grid")) twice<<<dim3(1, 70000), 32>>>(x);
	if (!strcmp(word, "empty")) twice<<<0, 32>>>(x);
	if (!strcmp(word, "shared")) uses<<<1, 32, 60000>>>(x);
	if (!strcmp(word, "megabyte")) uses<<<1, 32, 1 << 20>>>(x);
	cudaStream_t gone;
	cudaEvent_t event;
	cudaStreamCreate(&gone);
	cudaStreamDestroy(gone);
	cudaEventCreate(&event);
	cudaEventDestroy(event);
	if (!strcmp(word, "gone")) twice<<<1, 32, 0, gone>>>(x);
	if (!strcmp(word, "gone copy")) cudaMemcpyAsync(x, h, sizeof h, cudaMemcpyHostToDevice, gone);
	if (!strcmp(word, "gone again")) cudaStreamDestroy(gone);
	if (!strcmp(word, "gone event")) cudaEventRecord(event);
	if (!strcmp(word, "gone time")) cudaEventDestroy(event);
	if (!strcmp(word, "symbol")) cudaMemcpyToSymbol(counter, h, sizeof h);
	if (!strcmp(word, "device")) cudaSetDevice(1);
	if (!strcmp(word, "attribute")) cudaFuncSetAttribute(uses, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000);
	if (!strcmp(word, "mapped")) cudaHostGetDevicePointer((void **)&null, h, 0);
	if (!strcmp(word, "fill of rows")) cudaMemset2D(x, 8, 0, 16, 2);
	if (!strcmp(word, "often"))
		for (int i = 0; i < 5000; i++) cudaMemset(null, 0, 4);
	if (!strcmp(word, "looked") && cudaFree(h) != cudaSuccess) puts(cudaGetErrorString(cudaGetLastError()));
	if (!strcmp(word, "name of")) puts(cudaGetErrorName(cudaFree(h)));
	if (!strcmp(word, "two")) {
		cudaMemcpy(null, h, sizeof h, cudaMemcpyHostToDevice);
		cudaFree(h);
		puts(cudaGetErrorString(cudaGetLastError()));
	}
	if (!strcmp(word, "launch looked")) {
		twice<<<1, 2048>>>(x);
		puts(cudaGetErrorString(cudaGetLastError()));
	}
	cudaDeviceSynchronize();
	return 0;
}
