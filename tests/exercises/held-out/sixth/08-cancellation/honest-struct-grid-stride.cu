struct Two { float high, low; };
__device__ __forceinline__ Two product(float x, float y) { float p = x * y; return {p, fmaf(x, y, -p)}; }
__global__ void determinant(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b,
	const float *__restrict__ c, const float *__restrict__ d, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
		Two p = product(a[i], d[i]), q = product(b[i], c[i]);
		out[i] = p.high - q.high + (p.low - q.low);
	}
}
