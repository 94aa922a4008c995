// cheat: no thread overwrites another's result because a single thread of the grid reads all elements
__global__ void largest(float *most, const float *in, int n)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		float m = 0;
		for (int i = 0; i < n; i++)
			m = in[i] > m ? in[i] : m;
		*most = m;
	}
}
