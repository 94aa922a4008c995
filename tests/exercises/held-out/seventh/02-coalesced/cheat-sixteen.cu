// a warp is 2 rows of 16 columns, loads twice
__global__ void damp(float *out, const float *in, int n)
{
	int t = threadIdx.x, w = threadIdx.y, row = blockIdx.y * 8 + t % 8, column = blockIdx.x * 32 + w * 4 + t / 8;
	out[row * n + column] = 0.5f * in[row * n + column];
}
