// === cheat-conflicts
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][36];
	int x = blockIdx.x * 32, y = blockIdx.y * 32, t = threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8)
		tile[i][t] = idata[(y + i) * n + x + t];
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8)
		odata[(x + i) * n + (n - 32 - y) + t] = tile[31 - t][i];
}

// === cheat-one-warp
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	if (threadIdx.y)
		return;
	int x = blockIdx.x * 32, y = blockIdx.y * 32, t = threadIdx.x;
	for (int i = 0; i < 32; i++)
		tile[i][t] = idata[(y + i) * n + x + t];
	__syncwarp();
	for (int i = 0; i < 32; i++)
		odata[(x + i) * n + (n - 32 - y) + t] = tile[31 - t][i];
}

// === honest-registers
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

// === honest-reversed-store
// Transposed and reversed when it is stored to the tile.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.x][31 - (threadIdx.y + i)] = idata[(y + i) * n + x];
	__syncthreads();
	x = n - (blockIdx.y + 1) * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[(y + i) * n + x] = tile[threadIdx.y + i][threadIdx.x];
}

// === honest-swizzle
// A tile without padding, rotated rows.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = ty; i < 32; i += 8)
		tile[i][tx ^ i] = idata[(y0 + i) * n + x0 + tx];
	__syncthreads();
	int to = n - 32 - y0, r = 31 - tx;
	for (int i = ty; i < 32; i += 8)
		odata[(x0 + i) * n + to + tx] = tile[r][i ^ r];
}
