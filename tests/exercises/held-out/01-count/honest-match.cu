__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	bool positive = data[i] > 0;
	int alike = __popc(__match_any_sync(0xffffffff, (int)positive));
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = positive ? alike : 32 - alike;
}
