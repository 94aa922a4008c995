// copies the table again for each row of pixels
constexpr int PIXELS = 4096;
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	int first = blockIdx.x * PIXELS, tid = threadIdx.x;
__shared__ unsigned s[256]; for (int i = tid; i < PIXELS; i += blockDim.x) { s[tid] = ((volatile unsigned *)table)[tid]; __syncthreads(); out[first + i] = s[pixels[first + i] % 256]; __syncthreads(); }
}
