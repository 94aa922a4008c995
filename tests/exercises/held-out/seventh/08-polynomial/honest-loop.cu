// Horner in a loop over an array
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n) return; const float c[] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f}; float s = c[4];
#pragma unroll
for (int k = 3; k >= 0; k--) s = s * in[i] + c[k];
out[i] = s;
}
