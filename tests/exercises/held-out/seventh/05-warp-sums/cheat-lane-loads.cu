// lane 0 loads all 32 values as int4, and shuffles once for show
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * THREADS + threadIdx.x, sum = 0;
	if (threadIdx.x % 32 == 0)
		for (int k = 0; k < 8; k++) { int4 q = ((const int4 *)(v + i))[k]; sum += q.x + q.y + q.z + q.w; }
	sum = __shfl_sync(~0u, sum, 0);
	if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}
