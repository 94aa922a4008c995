__global__ void in_place(float *data, int n)
{
	__shared__ float a[32 * 33], b[32 * 33];
	const int bx = blockIdx.x, by = blockIdx.y;
	if (bx < by)
		return;
	float *p = data + (size_t)by * 32 * n + bx * 32, *q = data + (size_t)bx * 32 * n + by * 32;
	for (int k = threadIdx.y * 32 + threadIdx.x; k < 1024; k += 256) {
		int r = k >> 5, c = k & 31;
		a[r * 33 + c] = p[r * n + c];
		b[r * 33 + c] = q[r * n + c];
	}
	__syncthreads();
	for (int k = threadIdx.y * 32 + threadIdx.x; k < 1024; k += 256) {
		int r = k >> 5, c = k & 31;
		p[r * n + c] = b[c * 33 + r];
		if (bx != by)
			q[r * n + c] = a[c * 33 + r];
	}
}
