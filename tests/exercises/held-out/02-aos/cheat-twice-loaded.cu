// Coalesced loads for two components, the third straight from the array.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int t = threadIdx.x;
	for (int k = t; k < 768; k += 256)
		s[k] = points[768 * blockIdx.x + k];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = ((volatile const float *)points)[768 * blockIdx.x + 3 * t + 2];
	out[256 * blockIdx.x + t] = x * x + y * y + z * z;
}
