// honest: counts those that are not positive, and the last lane stores 32 minus that
constexpr unsigned ALL = ~0u;

__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned others = __ballot_sync(ALL, !(data[i] > 0));
	if ((threadIdx.x & 31) == 31)
		counts[i >> 5] = 32 - __popc(others);
}
