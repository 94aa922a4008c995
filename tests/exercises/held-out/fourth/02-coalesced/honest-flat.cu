// The matrix as one vector: 256 consecutive elements per block.
__global__ void damp(float *out, const float *in, int n)
{
	unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
	unsigned i = block * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
	out[i] = in[i] / 2;
}
