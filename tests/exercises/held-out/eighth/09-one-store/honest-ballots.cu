// honest: ballots, one shared word per warp, and a sum of eight
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned part[8];
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	const unsigned *from = words + blockIdx.x * 1024 + threadIdx.x;
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < 1024; k += 256)
		sum += __popc(__ballot_sync(0xffffffff, (from[k] & 1) == 0));
	if (lane == 0)
		part[warp] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < 8; w++)
			sum += part[w];
		counts[blockIdx.x] = sum;
	}
}
