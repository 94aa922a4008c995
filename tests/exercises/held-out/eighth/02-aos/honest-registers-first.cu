// honest: three loads in flight before the first store to shared memory
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[3 * 256];
	unsigned t = threadIdx.x, first = 768u * blockIdx.x;
	float a = points[first + t], b = points[first + t + 256], c = points[first + t + 512];
	s[t] = a;
	s[t + 256] = b;
	s[t + 512] = c;
	__syncthreads();
	float length = 0;
#pragma unroll
	for (int k = 0; k < 3; k++)
		length += s[3 * t + k] * s[3 * t + k];
	out[blockIdx.x * 256 + t] = length;
}
