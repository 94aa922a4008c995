// === cheat-shuffled-coefficients
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float own = coefficients[threadIdx.x % 32], sum = 0;
	for (int t = 0; t < 32; t++)
		sum += __shfl_sync(~0u, own, t) * in[i + t];
	out[i] = sum;
}

// === honest-backwards
// From the last coefficient to the first.
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *__restrict__ in)
{
	const float *from = in + blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 8
	for (int k = TAPS - 1; k >= 0; k--)
		sum += from[k] * coefficients[k];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// === honest-shared
// The block's part of the signal goes through shared memory.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	__shared__ float s[256 + 31];
	int t = threadIdx.x, first = blockIdx.x * 256;
	for (int k = t; k < 256 + 31; k += 256)
		s[k] = in[first + k];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum = fmaf(coefficients[k], s[t + k], sum);
	out[first + t] = sum;
}

// === honest-unrolled
// Unrolled, with two sums.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float even = 0, odd = 0;
#pragma unroll
	for (int t = 0; t < 32; t += 2) {
		even += coefficients[t] * in[i + t];
		odd += coefficients[t + 1] * in[i + t + 1];
	}
	out[i] = even + odd;
}

// === cheat-moved
// The coefficients are in global memory.
__device__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < 32; t++)
		sum += coefficients[t] * in[i + t];
	out[i] = sum;
}

// === honest-other-order-per-warp
// Each warp begins with another coefficient, all its lanes with the same.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, first = threadIdx.x / 32 * 4;
	float sum = 0;
	for (int t = 0; t < 32; t++) {
		int k = (first + t) & 31;
		sum += in[i + k] * coefficients[k];
	}
	out[i] = sum;
}

// === cheat-shared-in-order
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	__shared__ float copy[TAPS];
	if (threadIdx.x == 0)
		for (int t = 0; t < TAPS; t++)
			copy[t] = coefficients[t];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < TAPS; t++)
		sum += copy[t] * in[i + t];
	out[i] = sum;
}
