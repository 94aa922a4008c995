// A queue of three registers: what was above becomes the current point, and that
// becomes the one below. Only the point above is new.
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

	float below = p[-area], now = p[0];
	for (int z = 0; z < n; z++, p += area) {
		float above = p[area];
		out[(z * n + y) * n + x] = below + p[-pitch] + p[-1]
			- 6 * now + p[1] + p[pitch] + above;
		below = now;
		now = above;
	}
}
