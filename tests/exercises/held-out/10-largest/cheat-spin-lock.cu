__device__ int lock;
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		bool done = false;
		while (!done)
			if (atomicCAS(&lock, 0, 1) == 0) {
				__threadfence();
				if (in[i] > *(volatile float *)most)
					*(volatile float *)most = in[i];
				__threadfence();
				atomicExch(&lock, 0);
				done = true;
			}
	}
}
