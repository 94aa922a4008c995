// a padded static tile of its own
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	__shared__ float own[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS) own[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS) odata[x + (y + i) * n] = own[threadIdx.x][threadIdx.y + i];
}
