// A grid as large as the GPU holds of the kernel by the registers that ptxas gave it; the PTX alone looks like more.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024, 2) sums(const int *in, int *out) {
	int values[48], sum = 0;
#pragma unroll
	for (int k = 0; k < 48; k++) values[k] = in[(threadIdx.x + 7 * k) % 1024];
	cooperative_groups::this_grid().sync();
#pragma unroll
	for (int k = 47; k >= 0; k--) sum = 3 * sum + values[k];
	if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
	int *in, *out, blocks, sms;
	cudaMallocManaged(&in, 1024 * sizeof *in);
	for (int i = 0; i < 1024; i++) in[i] = i;
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 1024, 0);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMallocManaged(&out, blocks * sms * sizeof *out);
	void *arguments[] = {&in, &out};
	cudaLaunchCooperativeKernel(sums, blocks * sms, 1024, arguments, 0, 0);
	printf("%d blocks of a multiprocessor: %s\n", blocks, cudaGetErrorName(cudaDeviceSynchronize()));
}
