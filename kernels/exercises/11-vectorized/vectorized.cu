// Task: load a thread's four elements with one load, and store them with one.
//
// Blocks of 256 threads, four elements per thread.
constexpr int THREADS = 256;

__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 4 * THREADS + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 4; k++)
		out[first + k * THREADS] = 0.5f * in[first + k * THREADS];
}
