// Five points of a plane, straight from global memory: neighbours in x come from L1, those in y mostly from L2.
__global__ void stencil(float *out, const float *in, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
	out[y * n + x] = 0.5f * in[y * n + x] +
					 0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

// 256 bins of bytes: counted in shared memory, then added to the result.
__global__ void histogram(unsigned *bins, const unsigned char *in, int n) {
	__shared__ unsigned mine[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

// Running sums within each block of 256, by doubling distances in shared memory.
__global__ void scan(int *out, const int *in) {
	__shared__ int s[2][256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, now = 0;
	s[0][t] = in[i];
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
		now = 1 - now;
	}
	__syncthreads();
	out[i] = s[now][t];
}

// y += a x over every `stride`-th element.
__global__ void saxpy(float *y, const float *x, float a, int stride) {
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
	y[i] += a * x[i];
}

// Elements picked by an index from all over a vector.
__global__ void gather(float *out, const float *in, const int *index) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[index[i]];
}

// One step of particles that fly straight, with a particle's fields together (aos) and with each field apart (soa).
struct Particle {
	float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void aos(Particle *p, float dt) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].x += dt * p[i].vx;
	p[i].y += dt * p[i].vy;
	p[i].z += dt * p[i].vz;
}

__global__ void soa(float *field, float dt, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 3; k++) field[k * n + i] += dt * field[(k + 4) * n + i];
}

// A dot product: each thread adds up its part, warps by shuffles, blocks by one atomic addition each.
__global__ void dot(float *sum, const float *a, const float *b, int n) {
	float mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i] * b[i];
	for (int d = 16; d; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
	__shared__ float warps[32];
	if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
	__syncthreads();
	if (threadIdx.x >= 32) return;
	mine = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
	for (int d = 16; d; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
	if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// Matrix times vector: a warp to each row, and a thread to each row.
__global__ void by_warp(float *y, const float *A, const float *x, int n) {
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (int k = lane; k < n; k += 32) sum += A[row * n + k] * x[k];
	for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
	if (lane == 0) y[row] = sum;
}

__global__ void by_thread(float *y, const float *A, const float *x, int n) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[row * n + k] * x[k];
	y[row] = sum;
}

// Seventeen weights along a vector; a block loads its part and eight neighbours on either side into shared memory.
constexpr int RADIUS = 8, THREADS = 256;

__global__ void convolution(float *out, const float *in, const float *weights, int n) {
	__shared__ float part[THREADS + 2 * RADIUS];
	int i = blockIdx.x * THREADS + threadIdx.x;
	part[threadIdx.x + RADIUS] = in[i];
	if (threadIdx.x < RADIUS) {
		part[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
		part[threadIdx.x + THREADS + RADIUS] = i + THREADS < n ? in[i + THREADS] : 0;
	}
	__syncthreads();
	float sum = 0;
#pragma unroll
	for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * part[threadIdx.x + k];
	out[i] = sum;
}

// One step of a bitonic sort in global memory: pairs `distance` apart are put in order.
__global__ void bitonic(int *v, int distance, int size) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
	if (partner <= i) return;
	int a = v[i], b = v[partner];
	if ((i & size) == 0 ? a > b : a < b) {
		v[i] = b;
		v[partner] = a;
	}
}

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

// What all bodies pull at each, tile after tile through shared memory.
__global__ void nbody(float4 *force, const float4 *body, int n) {
	__shared__ float4 tile[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	float4 me = body[i];
	float x = 0, y = 0, z = 0;
	for (int first = 0; first < n; first += 256) {
		tile[threadIdx.x] = body[first + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < 256; k++) {
			float4 other = tile[k];
			float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
			float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
			float pull = other.w * inverse * inverse * inverse;
			x += dx * pull;
			y += dy * pull;
			z += dz * pull;
		}
		__syncthreads();
	}
	force[i] = make_float4(x, y, z, 0);
}

// A polynomial of degree 64 at every element: arithmetic in one chain a thread.
__global__ void polynomial(float *y, const float *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float at = x[i], sum = 1;
#pragma unroll
	for (int k = 0; k < 64; k++) sum = sum * at + (float)k;
	y[i] = sum;
}

// Special functions: a sine, an exponential and a logarithm of every element, by the fast instructions.
__global__ void waves(float *y, const float *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = x[i];
#pragma unroll
	for (int k = 0; k < 8; k++) v = __sinf(v) + __expf(-v * v) + __logf(1 + v * v);
	y[i] = v;
}

// A scaled sum of two vectors in double precision, each thread a pair.
__global__ void doubles(double2 *z, const double2 *x, const double2 *y, double a) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double2 p = x[i], q = y[i];
	z[i] = make_double2(a * p.x + q.x, a * p.y + q.y);
}

// An image of one byte a pixel turned by ninety degrees, without shared memory.
__global__ void rotate(unsigned char *out, const unsigned char *in, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[x * n + (n - 1 - y)] = in[y * n + x];
}
