__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	for (int k = 2; k >= 0; k--) {
		float v = points[blockIdx.x * 768 + k * 256 + threadIdx.x];
		s[k * 256 + threadIdx.x] = v * v;
	}
	__syncthreads();
	const float *own = s + 3 * threadIdx.x;
	out[blockIdx.x * 256 + threadIdx.x] = own[0] + own[1] + own[2];
}
