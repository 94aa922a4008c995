// cheat: loads are coalesced, but points of four words in shared memory conflict fourfold
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[4 * 256];
	int t = threadIdx.x, first = 3 * 256 * blockIdx.x;
	for (int k = t; k < 768; k += 256)
		block[k / 3 * 4 + k % 3] = points[first + k];
	__syncthreads();
	volatile float *p = &block[4 * t];
	float x = p[0], y = p[1], z = p[2];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}
