// Task: how many of a warp's 32 numbers are positive? Here each thread writes
// its answer down, and then one thread of the warp counts while 31 wait. Do it
// with a vote: without shared memory, without a barrier, and without a loop.
//
// Blocks of 256 threads; a count for each warp.
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
