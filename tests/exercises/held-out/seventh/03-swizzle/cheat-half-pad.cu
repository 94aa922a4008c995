// two halves of the tile one after the other, each padded to 33 words
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
	for (int h = 0; h < 2; h++) {
		int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + 16 * h + ty;
		for (int i = 0; i < 16; i += ROWS) tile[(ty + i) * 33 + tx] = idata[x + (y + i) * n];
		__syncthreads();
		for (int e = t; e < 512; e += 256)
			odata[(blockIdx.x * TILE + e / 16) * n + blockIdx.y * TILE + 16 * h + e % 16] = tile[e % 16 * 33 + e / 16];
		__syncthreads();
	}
}
