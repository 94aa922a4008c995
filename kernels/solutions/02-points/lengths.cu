// The block reads its 768 floats as neighbouring words, whatever they mean. In
// shared memory the threads' words are three apart, and three is odd: no
// conflict.
//
// Blocks of 256 threads, a point each.
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
