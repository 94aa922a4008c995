// honest: treats the matrix as one long vector: block number times 256 plus thread number
__global__ void damp(float *out, const float *in, int n)
{
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * (32 * 8) + threadIdx.y * 32 + threadIdx.x;
	out[i] = 0.5f * in[i];
}
