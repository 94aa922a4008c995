__global__ void largest(int *most, const int *v)
{
	if (threadIdx.x == 0) {
		int m = v[blockIdx.x * 256];
		for (int k = 1; k < 256; k++)
			m = max(m, v[blockIdx.x * 256 + k]);
		most[blockIdx.x] = m;
	}
}
