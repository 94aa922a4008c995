// cheat: one thread of the whole grid compares all elements
__global__ void largest(float *most, const float *in, int n)
{
	if (blockIdx.x != 0 || threadIdx.x != 0)
		return;
	float top = 0;
	for (int i = 0; i < n; i++)
		top = fmaxf(top, in[i]);
	*most = top;
}
