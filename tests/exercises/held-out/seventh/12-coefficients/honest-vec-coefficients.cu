// coefficients as float4, one load for four
constexpr int TAPS = 32;
__constant__ __align__(16) float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float sum = 0; const float4 *c = (const float4 *)coefficients;
#pragma unroll 1
for (int t = 0; t < 8; t++) { float4 q = c[t]; const float *p = in + i + 4 * t; sum += q.x * p[0] + q.y * p[1] + q.z * p[2] + q.w * p[3]; } out[i] = sum;
}
