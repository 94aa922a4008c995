// What gpulab --devices measures: as little as possible besides the operation in
// the kernel's name. ITERATIONS and the grid are set by lua/gpulab/peaks.lua.
constexpr int CHAINS = 8; // independent results per thread hide the latency

__global__ void copy(float4 *out, const float4 *in, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i];
}

template <class T> __device__ void multiply_add(T *out, T a, T b)
{
	T x[CHAINS];
	for (int k = 0; k < CHAINS; k++) x[k] = threadIdx.x + k;
#pragma unroll 1
	for (int i = 0; i < ITERATIONS; i += 16)
#pragma unroll
		for (int j = 0; j < 16; j++)
#pragma unroll
			for (int k = 0; k < CHAINS; k++) x[k] = x[k] * a + b;
	T sum = 0;
	for (int k = 0; k < CHAINS; k++) sum += x[k];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void fp32(float *out, float a, float b)
{
	multiply_add(out, a, b);
}

__global__ void fp64(double *out, double a, double b)
{
	multiply_add(out, a, b);
}

// A quarter-warp reads 128 consecutive bytes, a word from each bank.
__global__ void shared(float *out)
{
	__shared__ float4 words[1024];
	float4 sum = {0, 0, 0, 0};
	for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = sum;
	__syncthreads();
	int at = threadIdx.x;
#pragma unroll 1
	for (int i = 0; i < ITERATIONS; i += 16) {
#pragma unroll
		for (int j = 0; j < 16; j++) {
			float4 v = words[(at + 32 * j) & 1023];
			sum.x += v.x;
			sum.y += v.y;
			sum.z += v.z;
			sum.w += v.w;
		}
		at += 512 + (int)sum.x;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

__global__ void nothing() {}
