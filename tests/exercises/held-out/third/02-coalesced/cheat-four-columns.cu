// A warp has 8 rows of 4 elements: half of each sector.
__global__ void damp(float *out, const float *in, int n)
{
	int t = threadIdx.x, w = threadIdx.y; // 32 x 8 elements in 8 pieces of 4 x 8
	int column = blockIdx.x * 32 + w * 4 + t % 4, row = blockIdx.y * 8 + t / 4;
	out[row * n + column] = 0.5f * in[row * n + column];
}
