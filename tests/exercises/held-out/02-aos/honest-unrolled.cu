__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	const unsigned t = threadIdx.x;
	const float *from = points + 768 * blockIdx.x;

	float a = from[t], b = from[t + 256], c = from[t + 512];
	block[t] = a;
	block[t + 256] = b;
	block[t + 512] = c;
	__syncthreads();

	const float *p = &block[3 * t];
	float sum = p[2] * p[2];
	sum = fmaf(p[1], p[1], sum);
	sum = fmaf(p[0], p[0], sum);
	out[256 * blockIdx.x + t] = sum;
}
