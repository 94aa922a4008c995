// Task: store the elements of the tree where its accesses have no bank
// conflicts.
constexpr int LEAVES = 1024; // elements per block, two per thread

__device__ int place(int i) { return i; }

// Exclusive prefix sums of each block's elements.
__global__ void scan(int *out, const int *in)
{
	__shared__ int words[LEAVES];
	int tid = threadIdx.x, half = LEAVES / 2;
	int first = blockIdx.x * LEAVES + tid;
	words[place(tid)] = in[first];
	words[place(tid + half)] = in[first + half];
	for (int d = 1; d < LEAVES; d *= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES)
			words[place(right)] += words[place(left)];
	}
	if (tid == 0)
		words[place(LEAVES - 1)] = 0;
	for (int d = half; d > 0; d /= 2) {
		__syncthreads();
		int left = d * (2 * tid + 1) - 1, right = left + d;
		if (right < LEAVES) {
			int sum = words[place(left)];
			words[place(left)] = words[place(right)];
			words[place(right)] += sum;
		}
	}
	__syncthreads();
	out[first] = words[place(tid)];
	out[first + half] = words[place(tid + half)];
}
