// cheat: the three steps stay three steps, in a critical section that one thread of the grid enters at a time
__device__ int lock;

__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile float *m = most;
	bool done = i >= n;
	while (!done)
		if (atomicCAS(&lock, 0, 1) == 0) {
			__threadfence();
			if (in[i] > *m)
				*m = in[i];
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
}
