// Tiles on the diagonal are transposed alone, all others in pairs.
__global__ void in_place(float *data, int n)
{
	__shared__ float a[32][33], b[32][33];
	int tx = threadIdx.x, bx = blockIdx.x, by = blockIdx.y;
	if (bx < by)
		return;
	float *one = data + by * 32 * n + bx * 32, *other = data + bx * 32 * n + by * 32;
	for (int i = threadIdx.y; i < 32; i += 8) {
		a[i][tx] = one[i * n + tx];
		if (bx != by)
			b[i][tx] = other[i * n + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		other[i * n + tx] = a[tx][i];
		if (bx != by)
			one[i * n + tx] = b[tx][i];
	}
}
