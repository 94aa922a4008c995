// Column minus row, by a mask; the loads are in registers before the first store.
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * 32, y = blockIdx.y * 32;
	float moved[4];
#pragma unroll
	for (int i = 0; i < 4; i++)
		moved[i] = idata[(y + ty + 8 * i) * n + x + tx];
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[(ty + 8 * i) * 32 + (tx - ty - 8 * i & 31)] = moved[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		odata[(x + ty + 8 * i) * n + y + tx] = tile[tx * 32 + (ty + 8 * i - tx & 31)];
}
