// How often z = z^2 + c can be repeated: warps at the edge of the set run on for their slowest lane.
__global__ void mandelbrot(int *out, int n, int most) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float cr = -2.0f + 2.5f * x / n, ci = -1.25f + 2.5f * y / n, zr = 0, zi = 0;
	int k = 0;
	while (k < most && zr * zr + zi * zi < 4) {
		float next = zr * zr - zi * zi + cr;
		zi = 2 * zr * zi + ci;
		zr = next;
		k++;
	}
	out[y * n + x] = k;
}
