// honest: both tiles in one array of two layers, swizzled instead of padded
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float s[2][TILE][TILE];
	const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x;
	if (bx < by)
		return;
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		s[0][i][tx ^ i] = data[(by * TILE + i) * n + bx * TILE + tx];
		s[1][i][tx ^ i] = data[(bx * TILE + i) * n + by * TILE + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < TILE; i += ROWS) {
		data[(bx * TILE + i) * n + by * TILE + tx] = s[0][tx][i ^ tx];
		if (bx != by)
			data[(by * TILE + i) * n + bx * TILE + tx] = s[1][tx][i ^ tx];
	}
}
