// seven words through shared memory, the eighth directly
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256 * 9]; const unsigned *p = in + blockIdx.x * 2048; for (int k = tid; k < 2048; k += 256) s[9 * (k / 8) + k % 8] = p[k]; __syncthreads(); unsigned x = ((const volatile unsigned *)in)[8 * i + 7]; for (int k = 0; k < 7; k++) x += s[9 * tid + k]; out[i] = x;
}
