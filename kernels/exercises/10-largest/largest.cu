// Task: find the maximum of n non-negative floats. As it is, threads overwrite
// what others have written. *most is 0 at the start.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] > *most)
		*most = in[i];
}
