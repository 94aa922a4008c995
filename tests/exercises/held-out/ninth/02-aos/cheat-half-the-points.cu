// cheat: the first 128 points go through shared memory, the others do not
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int t = threadIdx.x, first = 3 * 256 * blockIdx.x, i = blockIdx.x * 256 + t;
	for (int k = t; k < 384; k += 256)
		block[k] = points[first + k];
	__syncthreads();
	const float *p = t < 128 ? block + 3 * t : points + 3 * i;
	float x = p[0], y = p[1], z = p[2];
	out[i] = x * x + y * y + z * z;
}
