// Task: a thread computes a column of points along z, and loads seven words for
// each. Two of them it has loaded before: keep them in registers, and load five.
//
// out[] has n × n × n points; in[] has one more on each side. Blocks of 32 × 8
// threads, one per column.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int pitch = n + 2, area = pitch * pitch;
	if (x >= n || y >= n)
		return;
	const float *p = in + area + (y + 1) * pitch + x + 1;

	for (int z = 0; z < n; z++, p += area)
		out[(z * n + y) * n + x] = p[-area] + p[-pitch] + p[-1]
			- 6 * p[0] + p[1] + p[pitch] + p[area];
}
