// no padding, rotated start
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[2048]; const unsigned *p = in + (size_t)blockIdx.x * 2048; for (int k = 0; k < 8; k++) s[k * 256 + tid] = p[k * 256 + tid]; __syncthreads(); unsigned x = 0; for (int k = 0; k < 8; k++) { int c = (k + tid / 4) % 8; x += s[8 * tid + c]; } out[i] = x;
}
