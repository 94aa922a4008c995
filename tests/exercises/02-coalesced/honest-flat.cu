// Elements in the order of threads, whatever the shape of blocks.
__global__ void damp(float *out, const float *in, int n)
{
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * 256 + threadIdx.y * 32 + threadIdx.x;
	if (i < n * n)
		out[i] = in[i] / 2;
}
