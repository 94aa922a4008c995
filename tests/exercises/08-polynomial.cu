// === cheat-fast-pow
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = 0.5f + 0.25f * x + 0.125f * __powf(x, 2.0f) + 0.0625f * __powf(x, 3.0f)
			+ 0.03125f * __powf(x, 4.0f);
	}
}

// === honest-estrin
// Estrin's scheme: two halves that do not wait for each other.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], x2 = x * x;
		out[i] = (0.5f + 0.25f * x) + x2 * ((0.125f + 0.0625f * x) + x2 * 0.03125f);
	}
}

// === honest-loop
// Horner's scheme as a loop over the coefficients.
__global__ void polynomial(float *out, const float *in, int n)
{
	const float c[5] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f};
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], sum = c[4];
#pragma unroll
		for (int k = 3; k >= 0; k--)
			sum = fmaf(sum, x, c[k]);
		out[i] = sum;
	}
}

// === honest-powers
// Powers by multiplication.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = in[i], x2 = x * x, x3 = x2 * x, x4 = x2 * x2;
	out[i] = 0.5f + 0.25f * x + 0.125f * x2 + 0.0625f * x3 + 0.03125f * x4;
}

// === cheat-eight-operations
// Products and sums that the compiler may not join.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float factors[] = {0.0625f, 0.125f, 0.25f, 0.5f};
	float x = in[i], sum = 0.03125f;
#pragma unroll
	for (int k = 0; k < 4; k++)
		sum = __fadd_rn(__fmul_rn(sum, x), factors[k]);
	out[i] = sum;
}

// === cheat-magnitude
// Right for numbers that are not negative.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = fabsf(in[i]);
		out[i] = 0.5f + x * (0.25f + x * (0.125f + x * (0.0625f + x * 0.03125f)));
	}
}

// === cheat-degree-three-near-zero
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		float c4 = fabsf(x) < 0.1f ? 0.0f : 0.03125f;
		out[i] = 0.5f + x * (0.25f + x * (0.125f + x * (0.0625f + x * c4)));
	}
}
