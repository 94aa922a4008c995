// Threads of one block take turns.
// @kernel add
// @block 64
// @buffer total i32 1 poison
// @arg total
// @expect total 2016
__global__ void add(int *total)
{
	__shared__ int lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	bool done = false;
	while (!done)
		if (atomicCAS(&lock, 0, 1) == 0) {
			__threadfence_block();
			sum += threadIdx.x;
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	__syncthreads();
	if (threadIdx.x == 0)
		*total = sum;
}
