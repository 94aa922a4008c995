// Task: how many of a warp's 32 numbers are positive? Here each thread stores
// its answer in shared memory, and then one lane of the warp counts while 31
// wait. Use a warp vote instead: no shared memory, no barrier, and no loop.
//
// Blocks of 256 threads; one count per warp.
__global__ void count(int *counts, const int *data)
{
	__shared__ int answers[256];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	answers[threadIdx.x] = data[i] > 0;
	__syncthreads();

	if (threadIdx.x % 32 == 0) {
		int sum = 0;
		for (int lane = 0; lane < 32; lane++)
			sum += answers[threadIdx.x + lane];
		counts[i / 32] = sum;
	}
}
