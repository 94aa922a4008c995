// each row summed by shuffles, 160 of them; the tile is gone
constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	int first = blockIdx.x * ROW, t = threadIdx.x;
	float mine = 0;
	for (int i = 0; i < ROW; i++) {
		float v = in[(first + i) * ROW + t];
		for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
		if (i == t) mine = v;
	}
	sums[first + t] = mine;
}
