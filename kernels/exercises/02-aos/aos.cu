// Task: the points are stored as x, y, z, x, y, z, ..., and this layout must
// stay. Each of the three loads of a warp touches twelve sectors. Load the
// block's 768 floats coalesced into shared memory first, and let each thread
// pick its point there.
//
// Blocks of 256 threads, one point per thread.
__global__ void lengths(float *out, const float *points)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
	out[i] = x * x + y * y + z * z;
}
