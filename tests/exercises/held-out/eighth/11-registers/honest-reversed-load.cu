// honest: reverses while loading, in unrolled loops with pointers
constexpr int EACH = 8;

__global__ void reversed(float *out, const float *in)
{
	const int at = EACH * (blockIdx.x * blockDim.x + threadIdx.x);
	const float *from = in + at;
	float *to = out + at;
	float x[EACH];
#pragma unroll
	for (int i = 0; i < EACH; ++i)
		x[EACH - 1 - i] = from[i] + from[i];
#pragma unroll
	for (int i = 0; i < EACH; ++i)
		to[i] = x[i];
}
