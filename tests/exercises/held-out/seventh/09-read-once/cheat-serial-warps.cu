// each warp: lane 0 loops over its 32 words in shared memory; then all read eight
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], m[8];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned v = s[tid] = in[i], x = 0;
	__syncwarp();
	if (tid % 32 == 0) { for (int k = 0; k < 32; k++) x = max(x, s[tid + k]); m[tid / 32] = x; }
	__syncthreads();
	x = 0;
	for (int k = 0; k < 8; k++) x = max(x, m[k]);
	out[i] = x - v;
}
