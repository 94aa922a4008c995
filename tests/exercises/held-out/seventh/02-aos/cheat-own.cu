// each thread puts its own point into shared memory: the loads are as before
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	for (int k = 0; k < 3; k++) s[3 * t + k] = points[3 * i + k];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[i] = x * x + y * y + z * z;
}
