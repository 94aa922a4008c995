// honest: an array of float3 in shared memory, filled as words
__global__ void lengths(float *out, const float *points)
{
	__shared__ float3 p[256];
	float *words = (float *)p;
	unsigned base = blockIdx.x * 768u;
	for (unsigned k = threadIdx.x; k < 768; k += blockDim.x)
		words[k] = __ldg(points + base + k);
	__syncthreads();
	const float3 v = p[threadIdx.x];
	auto square = [](float a) { return a * a; };
	out[blockIdx.x * blockDim.x + threadIdx.x] = square(v.x) + square(v.y) + square(v.z);
}
