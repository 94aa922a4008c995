// one warp loads everything for the block
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	if (t < 32)
		for (int k = t; k < 768; k += 32) s[k] = points[768 * blockIdx.x + k];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[i] = x * x + y * y + z * z;
}
