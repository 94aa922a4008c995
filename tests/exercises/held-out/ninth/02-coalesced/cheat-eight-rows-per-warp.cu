// cheat: a warp has four neighbors in each of eight rows: half of each sector is wasted
__global__ void damp(float *out, const float *in, int n)
{
	int row = blockIdx.y * 8 + threadIdx.x / 4;
	int column = blockIdx.x * 32 + threadIdx.y * 4 + threadIdx.x % 4;
	out[row * n + column] = 0.5f * in[row * n + column];
}
