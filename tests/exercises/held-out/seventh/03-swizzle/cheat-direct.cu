// writes columns directly, the tile is dead
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS) {
		float v = idata[x + (y + i) * n];
		((volatile float *)tile)[(threadIdx.y + i) * 32 + (threadIdx.x ^ (threadIdx.y + i))] = v;
		odata[(y + i) + x * n] = v;
	}
}
