// Horner's scheme as a loop, unrolled by the compiler.
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		const float c[] = {0.03125f, 0.0625f, 0.125f, 0.25f, 0.5f};
		float sum = c[0];
#pragma unroll
		for (int k = 1; k < 5; k++)
			sum = fmaf(sum, x, c[k]);
		out[i] = sum;
	}
}
