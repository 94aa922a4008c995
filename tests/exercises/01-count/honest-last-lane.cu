// The last lane stores; the predicate is a variable.
__global__ void count(int *counts, const int *data)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	bool positive = data[i] >= 1;
	int n = __popc(__ballot_sync(~0u, positive));
	if (i % 32 == 31)
		counts[i / 32] = n;
}
