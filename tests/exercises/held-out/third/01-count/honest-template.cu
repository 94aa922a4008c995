// A template with a predicate, and the lane from a special register.
struct Positive {
	__device__ bool operator()(int x) const { return x >= 1; }
};

template <class Predicate> __device__ int votes_for(int x, Predicate is)
{
	return __popc(__ballot_sync(__activemask(), is(x)));
}

__global__ void count(int *counts, const int *__restrict__ data)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	int votes = votes_for(__ldg(data + i), Positive());
	if (!(threadIdx.x & 31))
		counts[i >> 5] = votes;
}
