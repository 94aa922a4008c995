struct Matrix { float *p; int n; __device__ float &at(int r, int c) const { return p[(size_t)r * n + c]; } };
__global__ void damp(float *__restrict__ out, const float *__restrict__ in, int n)
{
	Matrix to{out, n};
	unsigned r = blockIdx.y * 8u + threadIdx.y, c = blockIdx.x * 32u + threadIdx.x;
	to.at(r, c) = __ldg(&in[(size_t)r * n + c]) / 2;
}
