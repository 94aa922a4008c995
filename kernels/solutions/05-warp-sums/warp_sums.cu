// The sum moves from register to register: in each iteration a lane adds the
// sum of the lane d higher. Lane 0 ends up with the sum of the warp.
//
// Blocks of 256 threads, one element per thread; one sum per warp.
constexpr int THREADS = 256;

__global__ void warp_sums(int *sums, const int *v)
{
	int tid = threadIdx.x, lane = tid % 32;
	int i = blockIdx.x * THREADS + tid;

	int sum = v[i];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (lane == 0)
		sums[i / 32] = sum;
}
