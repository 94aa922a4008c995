// Each thread brings its own point into shared memory, uncoalesced as before.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float tile[3][256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	for (int k = 0; k < 3; k++)
		tile[k][t] = points[3 * i + k];
	__syncthreads();
	out[i] = tile[0][t] * tile[0][t] + tile[1][t] * tile[1][t] + tile[2][t] * tile[2][t];
}
