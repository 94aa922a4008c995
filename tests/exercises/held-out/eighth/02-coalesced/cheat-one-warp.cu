// cheat: the first warp of each block does all eight rows, the other seven warps nothing
__global__ void damp(float *out, const float *in, int n)
{
	if (threadIdx.y > 0)
		return;
	int column = blockIdx.x * 32 + threadIdx.x;
	for (int i = 0; i < 8; i++) {
		int row = blockIdx.y * 8 + i;
		out[row * n + column] = 0.5f * in[row * n + column];
	}
}
