// One element too many, which belongs to the next array.
// @kernel both
// @block 32
// @buffer out i32 32 poison
// @arg out
// @arg i32 33
__global__ void both(int *out, int n)
{
	__shared__ int first[32], second[32];
	int t = threadIdx.x;
	first[t] = t;
	second[31 - t] = 2 * t;
	__syncthreads();
	if (t == 0)
		for (int i = 1; i < n; i++)
			first[i] = i + 1; // @memory
	__syncthreads();
	out[t] = first[t] + second[t];
}
