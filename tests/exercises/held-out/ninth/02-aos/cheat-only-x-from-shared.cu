// cheat: everything is loaded coalesced, but y and z then come from global memory again
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int t = threadIdx.x, first = 3 * 256 * blockIdx.x, i = blockIdx.x * 256 + t;
	for (int k = t; k < 768; k += 256)
		block[k] = points[first + k];
	__syncthreads();
	float x = block[3 * t], y = points[3 * i + 1], z = points[3 * i + 2];
	out[i] = x * x + y * y + z * z;
}
