// Writes until what is there is not smaller: no atomics, and still a race.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile float *top = most;
	if (i < n)
		for (int k = 0; k < 64 && in[i] > *top; k++) {
			*top = in[i];
			__threadfence();
		}
}
