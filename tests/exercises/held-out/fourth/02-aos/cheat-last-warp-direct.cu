// Seven warps through shared memory, the eighth directly.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float tile[768];
	int t = threadIdx.x, first = blockIdx.x * 768;
	for (int k = t; k < 672; k += 256)
		tile[k] = points[first + k];
	__syncthreads();
	const float *p = t < 224 ? tile + 3 * t : points + first + 3 * t;
	float x = p[0], y = p[1], z = p[2];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}
