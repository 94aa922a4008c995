// coalesced into shared memory, sums with eight-way conflicts
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[2048]; const unsigned *p = in + blockIdx.x * 2048; for (int k = tid; k < 2048; k += 256) s[k] = p[k]; __syncthreads(); unsigned x = 0; for (int k = 0; k < 8; k++) x += s[8 * tid + k]; out[i] = x;
}
