// The six transpose kernels of the lecture, as the model tests emulate them.
enum { TILE_DIM = 32, BLOCK_ROWS = 8 };

extern "C" __global__ void copy(float *odata, const float *idata, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < n)
		odata[y * n + x] = idata[y * n + x];
}

extern "C" __global__ void naive(float *odata, const float *idata, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < n)
		odata[x * n + y] = idata[y * n + x];
}

extern "C" __global__ void strided(float *odata, const float *idata, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < n)
		odata[x * n + y] = idata[x * n + y];
}

extern "C" __global__ void tile_copy(float *odata, const float *idata, int n) {
	__shared__ float tile[TILE_DIM][TILE_DIM];
	int x = blockIdx.x * TILE_DIM + threadIdx.x;
	int y = blockIdx.y * TILE_DIM + threadIdx.y;
	int index = x + y * n;
	for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[index + i * n];
	__syncthreads();
	for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
		odata[index + i * n] = tile[threadIdx.y + i][threadIdx.x];
}

template <int PAD> __device__ void transpose_tile(float *odata, const float *idata, int n) {
	__shared__ float tile[TILE_DIM][TILE_DIM + PAD];
	int x = blockIdx.x * TILE_DIM + threadIdx.x;
	int y = blockIdx.y * TILE_DIM + threadIdx.y;
	int index_in = x + y * n;
	x = blockIdx.y * TILE_DIM + threadIdx.x;
	y = blockIdx.x * TILE_DIM + threadIdx.y;
	int index_out = x + y * n;
	for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * n];
	__syncthreads();
	for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
		odata[index_out + i * n] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void tile(float *odata, const float *idata, int n) { transpose_tile<0>(odata, idata, n); }
extern "C" __global__ void padded(float *odata, const float *idata, int n) { transpose_tile<1>(odata, idata, n); }
