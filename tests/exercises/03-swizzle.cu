// === cheat-shift-by-two
// A rotation by two words per row: still conflicts.
extern __shared__ float tile[];
__device__ int place(int row, int column) { return row * 32 + (column + 2 * row) % 32; }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[place(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * n] = tile[place(threadIdx.x, threadIdx.y + i)];
}

// === honest-multiply
// Another permutation: exclusive or with five times the row.
extern __shared__ float tile[];
__device__ int at(int row, int column) { return 32 * row + (column ^ (5 * row & 31)); }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[at(ty + 8 * i, tx)] = idata[(y0 + ty + 8 * i) * n + x0 + tx];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		odata[(x0 + ty + 8 * i) * n + y0 + tx] = tile[at(tx, ty + 8 * i)];
}

// === honest-rotate
// The column is rotated by the row.
extern __shared__ float tile[];
__device__ int place(int row, int column) { return row * 32 + (column + row) % 32; }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[place(threadIdx.y + i, threadIdx.x)] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * n] = tile[place(threadIdx.x, threadIdx.y + i)];
}

// === honest-transposed-store
// The tile is transposed when it is stored, rotated the other way.
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	for (unsigned i = ty; i < 32; i += 8)
		tile[tx * 32 + ((i - tx) & 31)] = idata[(blockIdx.y * 32 + i) * n + blockIdx.x * 32 + tx];
	__syncthreads();
	for (unsigned i = ty; i < 32; i += 8)
		odata[(blockIdx.x * 32 + i) * n + blockIdx.y * 32 + tx] = tile[i * 32 + ((tx - i) & 31)];
}

// === cheat-padded-halves
// Two halves of 16 rows, each padded.
// - row * TILE + (column ^ row)
// + row % 16 * 33 + column
// - int x = blockIdx.x
// + for (int half = 0; half < TILE; half += 16) { int x = blockIdx.x
// - for (int i = 0; i < TILE; i += ROWS)
// + for (int i = half; i < half + 16; i += ROWS)
// - for (int i = 0; i < TILE; i += ROWS)
// + for (int i = 0; i < TILE; i += ROWS) if (threadIdx.x / 16 == half / 16)
// - threadIdx.y + i)];
// + threadIdx.y + i)]; __syncthreads(); }
