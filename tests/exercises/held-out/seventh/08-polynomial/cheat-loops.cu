// powers by loops over additions of logs: repeated multiplication in a loop of 64
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { float x = in[i], s = 0; for (int e = 0; e < 5; e++) { float p = 1;
#pragma unroll 1
for (int k = 0; k < 64; k++) p *= k < e ? x : 1.0f; s += p * exp2f(-1 - e); } out[i] = s; }
}
