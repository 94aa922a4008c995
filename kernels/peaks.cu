// What gpulab --devices measures: as little as possible beside the one thing that
// each is named after. ROUNDS and the grid are lua/gpulab/peaks.lua's.
constexpr int CHAINS = 8; // independent results a thread: the latency is hidden

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
	for (int i = 0; i < ROUNDS; i += 16)
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

// A quarter of a warp reads 128 bytes that lie side by side, all the banks.
__global__ void shared(float *out)
{
	__shared__ float4 words[1024];
	float4 sum = {0, 0, 0, 0};
	for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = sum;
	__syncthreads();
	int at = threadIdx.x;
#pragma unroll 1
	for (int i = 0; i < ROUNDS; i += 16) {
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
