// The block loads its 768 floats as consecutive words, whatever they mean. In
// shared memory the threads' words have a stride of three, which is odd: no
// bank conflict.
//
// Blocks of 256 threads, one point per thread.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int first = 3 * blockIdx.x * 256; // float of the block
	for (int k = threadIdx.x; k < 3 * 256; k += 256)
		block[k] = points[first + k];
	__syncthreads();

	int t = 3 * threadIdx.x;
	float x = block[t], y = block[t + 1], z = block[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
