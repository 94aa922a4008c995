// one warp moves the whole tile
constexpr int TILE = 32;
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	if (threadIdx.y) return;
	int tx = threadIdx.x;
	for (int i = 0; i < TILE; i++) tile[i * 32 + (tx ^ i)] = idata[(blockIdx.y * TILE + i) * n + blockIdx.x * TILE + tx];
	__syncwarp();
	for (int i = 0; i < TILE; i++) odata[(blockIdx.x * TILE + i) * n + blockIdx.y * TILE + tx] = tile[tx * 32 + (i ^ tx)];
}
