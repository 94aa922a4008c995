// Task: each thread halves one element of a matrix, and a warp's 32 elements
// are in 32 different rows. Change which thread handles which element; the
// launch stays as it is.
//
// Blocks of 32 × 8 threads, as many as an n × n matrix needs.
__global__ void damp(float *out, const float *in, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	int column = blockIdx.y * blockDim.y + threadIdx.y;
	out[row * n + column] = 0.5f * in[row * n + column];
}
