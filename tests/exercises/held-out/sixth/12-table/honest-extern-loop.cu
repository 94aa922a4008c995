__device__ unsigned table[256];
template <typename T, int N> struct Copy { T w[N]; __device__ void fill(const T *from) { for (int k = threadIdx.x; k < N; k += blockDim.x) w[k] = from[k]; } };
__global__ void gamma(unsigned *__restrict__ out, const unsigned *__restrict__ pixels)
{
	__shared__ Copy<unsigned, 256> copy;
	copy.fill(table);
	__syncthreads();
	size_t first = (size_t)blockIdx.x * 4096;
	for (int i = 4095 - threadIdx.x; i >= 0; i -= blockDim.x)
		out[first + i] = copy.w[pixels[first + i] & 0xff];
}
