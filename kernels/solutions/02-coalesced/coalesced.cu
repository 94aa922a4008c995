// Threads are numbered along x first, and the elements of a row are contiguous:
// x is the column.
//
// Blocks of 32 × 8 threads, as many as an n × n matrix needs.
__global__ void damp(float *out, const float *in, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	out[row * n + column] = 0.5f * in[row * n + column];
}
