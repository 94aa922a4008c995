// column-wise into out first, then row-wise on top
__global__ void damp(float *out, const float *in, int n)
{
	int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
	float v = in[row * n + column];
	float w = in[(blockIdx.x * 32 + threadIdx.x) * n + blockIdx.y * 8 + threadIdx.y];
	out[row * n + column] = w > 3e38f ? w : 0.5f * v;
}
