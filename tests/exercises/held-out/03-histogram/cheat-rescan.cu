// 16 threads count one bin each and read everything.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	if (threadIdx.x < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 2048; i++)
			sum += data[blockIdx.x * 2048 + i] % 16 == threadIdx.x;
		out[blockIdx.x * 16 + threadIdx.x] = sum;
	}
}
