// Each block takes one contiguous piece, and its threads stride through that.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int piece = (n + gridDim.x - 1) / gridDim.x;
	int from = blockIdx.x * piece, end = min(from + piece, n);
	for (int i = from + threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}
