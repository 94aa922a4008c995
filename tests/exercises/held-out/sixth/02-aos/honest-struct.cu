struct Point { float x, y, z; __device__ float length2() const { return x * x + y * y + z * z; } };
__global__ void lengths(float *__restrict__ out, const float *__restrict__ points)
{
	__shared__ Point p[256];
	float *words = reinterpret_cast<float *>(p);
	const float *from = points + (size_t)blockIdx.x * 768;
#pragma unroll
	for (int k = 0; k < 3; k++)
		words[threadIdx.x + 256 * k] = __ldg(from + threadIdx.x + 256 * k);
	__syncthreads();
	out[(size_t)blockIdx.x * 256 + threadIdx.x] = p[threadIdx.x].length2();
}
