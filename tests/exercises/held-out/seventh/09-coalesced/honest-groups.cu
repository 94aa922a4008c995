// eight lanes sum eight words by shuffles
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
const unsigned *p = in + blockIdx.x * 2048 + tid / 32 * 256 + tid % 32; unsigned mine = 0;
#pragma unroll
for (int k = 0; k < 8; k++) { unsigned v = p[32 * k]; v += __shfl_xor_sync(~0u, v, 1); v += __shfl_xor_sync(~0u, v, 2); v += __shfl_xor_sync(~0u, v, 4); v = __shfl_sync(~0u, v, tid % 4 * 8); if (tid % 32 / 4 == k) mine = v; } out[i] = mine;
}
