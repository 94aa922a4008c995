__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ uint4 s[64];
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned own = in[i], most = 0;
	((unsigned *)s)[threadIdx.x] = own;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 64; k++)
		most = max(max(most, max(s[k].x, s[k].y)), max(s[k].z, s[k].w));
	out[i] = most - own;
}
