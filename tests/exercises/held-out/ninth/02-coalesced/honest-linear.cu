// honest: the matrix as a vector: a linear index over the whole grid
__global__ void damp(float *out, const float *in, int n)
{
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
	if (i < n * n)
		out[i] = 0.5f * in[i];
}
