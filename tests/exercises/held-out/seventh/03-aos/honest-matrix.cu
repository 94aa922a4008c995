// one array of four rows, reference to the column
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[4][BODIES];
	unsigned t = threadIdx.x; size_t i = (size_t)blockIdx.x * BODIES + t;
	const float *in[4] = {x, y, z, mass};
	float own[4];
#pragma unroll
	for (int c = 3; c >= 0; c--) s[c][t] = own[c] = in[c][i];
	__syncthreads();
	const float *other = &s[0][(t + 2) & (BODIES - 1)];
	float d2 = 1.0f;
#pragma unroll
	for (int c = 0; c < 3; c++) { float d = other[c * BODIES] - own[c]; d2 = fmaf(d, d, d2); }
	pull[i] = other[3 * BODIES] * own[3] / d2;
}
