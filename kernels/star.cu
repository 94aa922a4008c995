// A star of 25 points in three dimensions: four neighbors in each direction, and the
// point itself. out[] has n × n × n points; in[] has four more on each side. A row of
// in[] has n + 32 words: the 32 in front of its points are the left halo of the row and
// the right halo of the one before, and keep every row aligned.
constexpr int R = 4;    // neighbors in each direction
constexpr int PAD = 32; // words in front of a row
constexpr int BX = 32, BY = 16; // points of a plane for a block, one per thread

__constant__ float coefficients[R + 1]; // by distance

__device__ int pitch(int n) { return n + PAD; }
__device__ int area(int n) { return (n + 2 * R) * pitch(n); }

// Where point (x, y, z) is in in[]; coordinates may be from -4 to n + 3.
__device__ int at(int x, int y, int z, int n)
{
	return (z + R) * area(n) + (y + R) * pitch(n) + PAD + x;
}

// Rows and planes share a dimension of the grid: before cc 2.0 it has only two.
__device__ int row_of(int n) { return blockIdx.y % (n / BY) * BY + threadIdx.y; }
__device__ int plane_of(int n) { return blockIdx.y / (n / BY); }

// One thread per point, 25 loads.
__global__ void points(float *out, const float *in, int n)
{
	int x = blockIdx.x * BX + threadIdx.x, y = row_of(n), z = plane_of(n);
	const float *p = in + at(x, y, z, n);
	float sum = coefficients[0] * *p;
#pragma unroll
	for (int d = 1; d <= R; d++)
		sum += coefficients[d] * (p[-d] + p[d] + p[-d * pitch(n)] + p[d * pitch(n)]
			+ p[-d * area(n)] + p[d * area(n)]);
	out[(z * n + y) * n + x] = sum;
}

// A plane's points with a halo: four columns and four rows on each side.
typedef float Plane[BY + 2 * R][BX + 2 * R];

// p: the thread's point in global memory, of value now. Threads at the edges also load
// the halo.
__device__ void fill(Plane plane, const float *p, float now, int n)
{
	int tx = threadIdx.x, ty = threadIdx.y;
	plane[ty + R][tx + R] = now;
	if (tx < R) {
		plane[ty + R][tx] = p[-R];
		plane[ty + R][tx + R + BX] = p[BX];
	}
	if (ty < R) {
		plane[ty][tx + R] = p[-R * pitch(n)];
		plane[ty + R + BY][tx + R] = p[BY * pitch(n)];
	}
}

// The four neighbors in the plane at distance d.
__device__ float around(const Plane plane, int d)
{
	int x = threadIdx.x + R, y = threadIdx.y + R;
	return plane[y][x - d] + plane[y][x + d] + plane[y - d][x] + plane[y + d][x];
}

// Neighbors of the same plane through shared memory; those above and below from global memory.
__global__ void tiled(float *out, const float *in, int n)
{
	__shared__ Plane plane;
	int x = blockIdx.x * BX + threadIdx.x, y = row_of(n), z = plane_of(n);
	const float *p = in + at(x, y, z, n);
	float now = *p, sum = coefficients[0] * now;
	fill(plane, p, now, n);
	__syncthreads();
#pragma unroll
	for (int d = 1; d <= R; d++)
		sum += coefficients[d] * (around(plane, d) + p[-d * area(n)] + p[d * area(n)]);
	out[(z * n + y) * n + x] = sum;
}

// Moves along z; a thread keeps the nine points of its column in a queue of registers,
// queue[R] is the current one. `depth` planes per block.
__global__ void queued(float *out, const float *in, int n, int depth)
{
	__shared__ Plane plane;
	int x = blockIdx.x * BX + threadIdx.x, y = row_of(n);
	int z = plane_of(n) * depth, end = min(z + depth, n);
	const float *p = in + at(x, y, z, n);
	float queue[2 * R + 1];
#pragma unroll
	for (int d = 0; d < 2 * R; d++)
		queue[d + 1] = p[(d - R) * area(n)];
	for (; z < end; z++, p += area(n)) {
#pragma unroll
		for (int d = 0; d < 2 * R; d++)
			queue[d] = queue[d + 1];
		queue[2 * R] = p[R * area(n)];
		__syncthreads(); // all have read the plane before
		fill(plane, p, queue[R], n);
		__syncthreads();
		float sum = coefficients[0] * queue[R];
#pragma unroll
		for (int d = 1; d <= R; d++)
			sum += coefficients[d] * (around(plane, d) + queue[R - d] + queue[R + d]);
		out[(z * n + y) * n + x] = sum;
	}
}

// A row of points is a warp. Neighbors in the row come from other lanes; beyond the ends
// of the warp they are in `halo`: lane 32 - k has the k-th point to the left, lane k - 1
// the k-th to the right.
__device__ float in_row(float now, float halo, int d)
{
	int lane = threadIdx.x;
	float left = __shfl_sync(~0u, lane >= BX - d ? halo : now, lane - d & 31);
	float right = __shfl_sync(~0u, lane < d ? halo : now, lane + d & 31);
	return left + right;
}

// The plane in shared memory has no halo in x.
typedef float Rows[BY + 2 * R][BX];

__global__ void shuffled(float *out, const float *in, int n, int depth)
{
	__shared__ Rows rows;
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * BX + tx, y = row_of(n);
	int z = plane_of(n) * depth, end = min(z + depth, n);
	const float *p = in + at(x, y, z, n);
	float queue[2 * R + 1];
#pragma unroll
	for (int d = 0; d < 2 * R; d++)
		queue[d + 1] = p[(d - R) * area(n)];
	for (; z < end; z++, p += area(n)) {
#pragma unroll
		for (int d = 0; d < 2 * R; d++)
			queue[d] = queue[d + 1];
		queue[2 * R] = p[R * area(n)];
		float now = queue[R], sum = coefficients[0] * now;
		float halo = tx < R ? p[BX] : tx >= BX - R ? p[-BX] : 0;
		__syncthreads();
		rows[ty + R][tx] = now;
		if (ty < R) {
			rows[ty][tx] = p[-R * pitch(n)];
			rows[ty + R + BY][tx] = p[BY * pitch(n)];
		}
		__syncthreads();
#pragma unroll
		for (int d = 1; d <= R; d++)
			sum += coefficients[d] * (in_row(now, halo, d) + rows[ty + R - d][tx]
				+ rows[ty + R + d][tx] + queue[R - d] + queue[R + d]);
		out[(z * n + y) * n + x] = sum;
	}
}
