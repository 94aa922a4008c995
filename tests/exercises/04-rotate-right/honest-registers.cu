// Four elements in registers first, then the tile.
__global__ void rotate_right(float *__restrict__ odata, const float *__restrict__ idata, int n)
{
	__shared__ float tile[32 * 33];
	int tx = threadIdx.x, ty = threadIdx.y;
	float v[4];
#pragma unroll
	for (int i = 0; i < 4; i++)
		v[i] = idata[(blockIdx.y * 32 + ty + 8 * i) * n + blockIdx.x * 32 + tx];
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[(ty + 8 * i) * 33 + tx] = v[i];
	__syncthreads();
	int left = (gridDim.y - 1 - blockIdx.y) * 32;
#pragma unroll
	for (int i = 0; i < 4; i++)
		odata[(blockIdx.x * 32 + ty + 8 * i) * n + left + tx] = tile[(31 - tx) * 33 + ty + 8 * i];
}
