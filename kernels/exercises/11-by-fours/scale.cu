// Task: fetch a thread's four elements by one load, and store them by one.
//
// Blocks of 256 threads, four elements a thread.
constexpr int THREADS = 256;

__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 4 * THREADS + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 4; k++)
		out[first + k * THREADS] = 0.5f * in[first + k * THREADS];
}
