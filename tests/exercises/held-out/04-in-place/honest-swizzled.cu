// Blocks above the diagonal swap two tiles, those on it transpose one.
__global__ void in_place(float *data, int n)
{
	__shared__ float upper[1024], lower[1024];
	const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x;
	if (bx < by)
		return;
	float *u = data + by * 32 * n + bx * 32 + tx, *l = data + bx * 32 * n + by * 32 + tx;
	for (int r = threadIdx.y; r < 32; r += 8) {
		upper[r * 32 + (tx ^ r)] = u[r * n];
		if (bx != by)
			lower[r * 32 + (tx ^ r)] = l[r * n];
	}
	__syncthreads();
	for (int r = threadIdx.y; r < 32; r += 8) {
		l[r * n] = upper[tx * 32 + (r ^ tx)];
		if (bx != by)
			u[r * n] = lower[tx * 32 + (r ^ tx)];
	}
}
