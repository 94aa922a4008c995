__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		for (int r = 0; r < 20; r++)
			if (in[i] > *(volatile float *)most)
				*(volatile float *)most = in[i];
}
