// === cheat-fixed-int
// 32-bit fixed point with a high product
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned x = __float2uint_rz(in[i] * 4294967040.0f);
	unsigned r = __umulhi(x, 1284195222u) + __umulhi(~x, 2521145802u) + __umulhi(__umulhi(x, x), 489626272u);
	out[i] = r * 0x1p-32f;
}

// === cheat-software
// Double-float arithmetic by hand, twenty operations.
__device__ float2 mul(float a, float b)
{
	float p = a * b;
	return make_float2(p, fmaf(a, b, -p));
}
__device__ float2 add(float2 a, float2 b)
{
	float s = a.x + b.x, v = s - a.x;
	float e = (a.x - (s - v)) + (b.x - v) + a.y + b.y;
	return make_float2(s, e);
}
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		float2 s = add(add(mul(0.299f, x), mul(0.587f, 1 - x)), mul(0.114f, x * x));
		for (int k = 0; k < 4; k++)
			s = add(s, make_float2(0, 0));
		out[i] = s.x + s.y;
	}
}

// === honest-constant-memory
__constant__ float weights[3] = {0.299f, 0.587f, 0.114f};
__global__ void fade(float *out, const float *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float x = __ldg(in + i);
		out[i] = weights[0] * x + weights[1] * (1 - x) + weights[2] * x * x;
	}
}

// === honest-constants
// Named constants that are floats.
constexpr float R = 0.299, G = 0.587, B = 0.114;
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float x = in[i];
	out[i] = R * x + G * (1 - x) + B * x * x;
}

// === honest-factored
// Factored by hand, with FMAs.
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = fmaf(x, fmaf(0.114f, x, 0.299f - 0.587f), 0.587f);
	}
}

// === cheat-float4
// Four elements for each of a quarter of the threads.
__device__ float fade_one(float x)
{
	return 0.299f * x + 0.587f * (1.0f - x) + 0.114f * x * x;
}
__global__ void fade(float *out, const float *in, int n)
{
	int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	if (i + 3 < n) {
		float4 x = *(const float4 *)&in[i];
		*(float4 *)&out[i] = make_float4(fade_one(x.x), fade_one(x.y), fade_one(x.z), fade_one(x.w));
	} else
		for (; i < n; i++)
			out[i] = fade_one(in[i]);
}
