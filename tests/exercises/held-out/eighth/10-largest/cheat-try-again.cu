// cheat: no atomics: each thread writes again as long as it sees a smaller value, and hopes that this settles
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile float *top = most;
	if (i < n)
		for (int calm = 0; calm < 8; calm++)
			while (*top < in[i]) {
				*top = in[i];
				calm = 0;
			}
}
