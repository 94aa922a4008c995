__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ uint4 s[64];
	__shared__ unsigned top;
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned own = in[i], most = 0;
	((unsigned *)s)[threadIdx.x] = own;
	__syncthreads();
	if (threadIdx.x == 0) {
#pragma unroll
		for (int k = 0; k < 64; k++)
			most = max(max(most, max(s[k].x, s[k].y)), max(s[k].z, s[k].w));
		top = most;
	}
	__syncthreads();
	out[i] = top - own;
}
