// every second band of rows is still column-wise
__global__ void damp(float *out, const float *in, int n)
{
	int row, column;
	if (blockIdx.x % 2) {
		row = blockIdx.x * 32 + threadIdx.x; column = blockIdx.y * 8 + threadIdx.y;
	} else {
		row = blockIdx.x * 32 + blockIdx.y % 4 * 8 + threadIdx.y; column = blockIdx.y / 4 * 32 + threadIdx.x;
	}
	out[row * n + column] = 0.5f * in[row * n + column];
}
