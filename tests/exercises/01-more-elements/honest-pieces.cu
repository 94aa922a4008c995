// A contiguous piece of the vector per block, coalesced within it.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int piece = (n + gridDim.x - 1) / gridDim.x;
	piece = (piece + 31) / 32 * 32;
	int first = blockIdx.x * piece, end = min(first + piece, n);
	for (int i = first + threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}
