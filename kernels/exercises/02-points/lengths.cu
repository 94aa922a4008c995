// Task: the points are kept as x, y, z, x, y, z, ... and that cannot be
// changed. Each of the three reads of a warp touches twelve sectors. Bring the
// block's 768 floats into shared memory with whole rows first, and let the
// threads find their points there.
//
// Blocks of 256 threads, a point each.
__global__ void lengths(float *out, const float *points)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
	out[i] = x * x + y * y + z * z;
}
