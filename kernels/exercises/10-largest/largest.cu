// Task: find the largest of n floats, none of them negative. As it is, threads
// overwrite what others have found. *most is 0 at the beginning.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] > *most)
		*most = in[i];
}
