// honest: row pointers, indexed by the column
__global__ void damp(float *out, const float *in, int n)
{
	unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
	const float *from = in + y * n + blockIdx.x * blockDim.x;
	float *to = out + y * n + blockIdx.x * blockDim.x;
	to[threadIdx.x] = from[threadIdx.x] / 2;
}
