// Neighboring threads are two words apart.
__global__ void damp(float *out, const float *in, int n)
{
	int t = threadIdx.y * 32 + threadIdx.x;
	int k = t / 64, within = t % 64, column = within % 32;
	int row = blockIdx.y * 8 + 2 * k + column / 16;
	column = blockIdx.x * 32 + column % 16 * 2 + within / 32;
	out[row * n + column] = 0.5f * in[row * n + column];
}
