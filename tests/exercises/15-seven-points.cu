// === honest-unrolled
// Three planes per iteration, so that no register is copied.
__global__ void seven_points(float *out, const float *__restrict__ in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const float *p = in + (y + 1) * w + x + 1;
	float q[3] = {p[0], p[a], 0};
	p += a;
	for (int z = 0; z < n; z += 3)
#pragma unroll
		for (int k = 0; k < 3; k++, p += a)
			if (z + k < n) {
				q[(k + 2) % 3] = p[a];
				out[((z + k) * n + y) * n + x] = q[k % 3] + q[(k + 2) % 3] + p[-1] + p[1]
					+ p[-w] + p[w] - 6 * q[(k + 1) % 3];
			}
}

// === honest-array
// A queue in an array; all its indices are known.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int w = n + 2;
	if (x < n && y < n) {
		float q[3];
		int at = (y + 1) * w + x + 1;
		q[1] = in[at];
		q[2] = in[at + w * w];
		for (int z = 1; z <= n; z++) {
			at += w * w;
			q[0] = q[1], q[1] = q[2], q[2] = in[at + w * w];
			float around = in[at - 1] + in[at + 1] + in[at - w] + in[at + w];
			out[((z - 1) * n + y) * n + x] = around + (q[0] - 6 * q[1]) + q[2];
		}
	}
}

// === honest-differences
// The difference to the point above becomes the one to the point below.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const float *p = in + a + (y + 1) * w + x + 1;
	float now = *p, rise = now - p[-a];
	float *to = out + y * n + x;
	for (int z = 0; z < n; z++, p += a, to += n * n) {
		float above = p[a], next = above - now;
		*to = next - rise + (p[-1] - now) + (p[1] - now) + (p[-w] - now) + (p[w] - now);
		now = above, rise = next;
	}
}

// === honest-reversed
// From the last plane to the first.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const float *p = in + n * a + (y + 1) * w + x + 1;
	float above = p[a], now = p[0];
	for (int z = n - 1; z >= 0; z--, p -= a) {
		float below = p[-a];
		out[(z * n + y) * n + x] = above + below + p[-1] + p[1] + p[-w] + p[w] - 6 * now;
		above = now, now = below;
	}
}

// === cheat-six-loads
// Only the current point is kept.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const float *p = in + a + (y + 1) * w + x + 1;
	float now = p[0];
	for (int z = 0; z < n; z++, p += a) {
		float above = p[a];
		out[(z * n + y) * n + x] = p[-a] + above + p[-1] + p[1] + p[-w] + p[w] - 6 * now;
		now = above;
	}
}

// === cheat-local-memory
// A queue indexed by the plane: the array is in local memory.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const float *p = in + a + (y + 1) * w + x + 1;
	float q[4];
	q[0] = p[-a], q[1] = p[0];
#pragma unroll 1
	for (int z = 0; z < n; z++, p += a) {
		q[(z + 2) & 3] = p[a];
		out[(z * n + y) * n + x] = q[z & 3] + q[(z + 2) & 3] + p[-1] + p[1] + p[-w] + p[w] - 6 * q[(z + 1) & 3];
	}
}

// === cheat-plane-in-shared
// The plane goes through shared memory, which the task does without.
__global__ void seven_points(float *out, const float *in, int n)
{
	__shared__ float plane[10][34];
	int tx = threadIdx.x, ty = threadIdx.y, w = n + 2, a = w * w;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
	bool inside = x < n && y < n;
	const float *p = in + a + (y + 1) * w + x + 1;
	float below = inside ? p[-a] : 0, now = inside ? p[0] : 0;
	for (int z = 0; z < n; z++, p += a) {
		__syncthreads();
		for (int i = ty; i < 10; i += 8)
			for (int j = tx; j < 34; j += 32) {
				int u = blockIdx.x * 32 + j, v = blockIdx.y * 8 + i;
				if (u < w && v < w)
					plane[i][j] = in[(z + 1) * a + v * w + u];
			}
		__syncthreads();
		float above = inside ? p[a] : 0;
		if (inside)
			out[(z * n + y) * n + x] = below + above + plane[ty + 1][tx] + plane[ty + 1][tx + 2]
				+ plane[ty][tx + 1] + plane[ty + 2][tx + 1] - 6 * now;
		below = now, now = above;
	}
}

// === cheat-queue-in-shared
// The queue is in shared memory, a column for each thread.
__global__ void seven_points(float *out, const float *in, int n)
{
	__shared__ float q[3][8][32];
	int tx = threadIdx.x, ty = threadIdx.y, w = n + 2, a = w * w;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
	if (x >= n || y >= n)
		return;
	const float *p = in + a + (y + 1) * w + x + 1;
	q[0][ty][tx] = p[-a], q[1][ty][tx] = p[0];
	for (int z = 0; z < n; z++, p += a) {
		q[(z + 2) % 3][ty][tx] = p[a];
		out[(z * n + y) * n + x] = q[z % 3][ty][tx] + q[(z + 2) % 3][ty][tx] + p[-1] + p[1] + p[-w] + p[w]
			- 6 * q[(z + 1) % 3][ty][tx];
	}
}

// === cheat-shuffled-neighbors
// The queue is missing; neighbors in the row come from other lanes, so that five words are loaded.
__global__ void seven_points(float *out, const float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	int u = min(x, n), v = min(y, n - 1), lane = threadIdx.x;
	const float *p = in + a + (v + 1) * w + u + 1;
	for (int z = 0; z < n; z++, p += a) {
		float now = p[0], left = __shfl_up_sync(~0u, now, 1), right = __shfl_down_sync(~0u, now, 1);
		if (lane == 0)
			left = p[-1];
		if (x < n && y < n) {
			if (lane == 31)
				right = p[1];
			out[(z * n + y) * n + x] = p[-a] + p[a] + left + right + p[-w] + p[w] - 6 * now;
		}
	}
}

// === cheat-half-the-columns
// Every thread of the first half of a block computes two columns.
__global__ void seven_points(float *out, const float *in, int n)
{
	if (threadIdx.y >= 4)
		return;
	int w = n + 2, a = w * w, x = blockIdx.x * 32 + threadIdx.x;
	for (int k = 0; k < 8; k += 4) {
		int y = blockIdx.y * 8 + threadIdx.y + k;
		if (x >= n || y >= n)
			continue;
		const float *p = in + a + (y + 1) * w + x + 1;
		float below = p[-a], now = p[0];
		for (int z = 0; z < n; z++, p += a) {
			float above = p[a];
			out[(z * n + y) * n + x] = below + above + p[-1] + p[1] + p[-w] + p[w] - 6 * now;
			below = now, now = above;
		}
	}
}

// === cheat-volatile
// The compiler may not combine loads: seven of them.
__global__ void seven_points(float *out, const volatile float *in, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = n + 2, a = w * w;
	if (x >= n || y >= n)
		return;
	const volatile float *p = in + a + (y + 1) * w + x + 1;
	float below = p[-a], now = p[0];
	for (int z = 0; z < n; z++, p += a) {
		float above = p[a];
		out[(z * n + y) * n + x] = p[-a] + above + p[-1] + p[1] + p[-w] + p[w] - 6 * p[0] + 0 * (below + now);
		below = now, now = above;
	}
}

// === cheat-one-in-shared
// The compiler keeps it in a register, and the stores stay.
// - float below = p[-area], now = p[0];
// + __shared__ float kept[8][32]; float &below = kept[threadIdx.y][threadIdx.x], now = p[0]; below = p[-area];
