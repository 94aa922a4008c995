__device__ int lock;
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float own = in[i];
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0, 1) == 0) {
			if (own > *(volatile float *)most)
				*(volatile float *)most = own;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
}
