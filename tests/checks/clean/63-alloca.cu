// @kernel kernel
// @block 96
// @buffer out i32 96 poison
// @arg out
// @arg i32 5
// @reference sums_of_stacks
/* Arrays on the stack whose length is known only when they are made: other ones in each thread, a new one in each call. NVRTC has
 * alloca as PTX alone. */
__device__ __forceinline__ void *take(size_t bytes)
{
	void *p;
	asm volatile("alloca.u64 %0, %1, 16; cvta.local.u64 %0, %0;" : "=l"(p) : "l"(bytes) : "memory");
	return p;
}
__device__ __noinline__ int below(int depth, int n)
{
	int *row = (int *)take(n * sizeof(int));
	for (int i = 0; i < n; i++)
		row[i] = i + depth;
	const int rest = depth ? below(depth - 1, n + threadIdx.x % 3) : 0;
	int sum = rest;
	for (int i = 0; i < n; i++)
		sum += row[i];
	return sum;
}
__global__ void kernel(int *out, int n)
{
	double *own = (double *)take((n + threadIdx.x % 7) * sizeof(double));
	for (int i = 0; i < n + threadIdx.x % 7; i++)
		own[i] = i;
	const int sum = below(threadIdx.x % 4, n);
	out[threadIdx.x] = sum + (int)own[n + threadIdx.x % 7 - 1];
}
