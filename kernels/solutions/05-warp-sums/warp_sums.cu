// The sum goes from register to register: in each round a thread gets that of
// the thread d places on. What is left in lane 0 is the sum of the warp.
//
// Blocks of 256 threads, an element each; a sum for each warp.
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
