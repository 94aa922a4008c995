// shuffles first, then one atomic per warp
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float m = i < n ? in[i] : 0.0f; for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d)); if (tid % 32 == 0) atomicMax((unsigned *)most, __float_as_uint(m));
}
