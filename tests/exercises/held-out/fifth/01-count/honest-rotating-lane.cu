// One ballot per warp; the lane that stores is a different one in each warp.
template <typename T> __device__ bool positive(T value) { return value > T(0); }
__global__ void count(int *counts, const int *__restrict__ data)
{
	const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned yes = __ballot_sync(0xffffffffu, positive(data[i]));
	if (lane == warp)
		counts[blockIdx.x * (blockDim.x >> 5) + warp] = __popc(yes);
}
