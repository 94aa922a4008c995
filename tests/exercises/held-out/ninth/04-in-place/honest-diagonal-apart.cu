// honest: the blocks on and below the diagonal work, those on it with one tile only; functions load and store a tile
constexpr int TILE = 32;
constexpr int ROWS = 8;

typedef float Tile[TILE][TILE + 1];

__device__ void load(Tile &tile, const float *from, int n)
{
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		tile[r][threadIdx.x] = from[r * n + threadIdx.x];
}

__device__ void store_transposed(float *to, const Tile &tile, int n)
{
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		to[r * n + threadIdx.x] = tile[threadIdx.x][r];
}

__global__ void in_place(float *data, int n)
{
	__shared__ Tile a, b;
	float *own = data + (blockIdx.y * n + blockIdx.x) * TILE;
	float *mirror = data + (blockIdx.x * n + blockIdx.y) * TILE;
	bool diagonal = blockIdx.x == blockIdx.y;

	if (blockIdx.x > blockIdx.y)
		return;
	load(a, own, n);
	if (!diagonal)
		load(b, mirror, n);
	__syncthreads();
	store_transposed(mirror, a, n);
	if (!diagonal)
		store_transposed(own, b, n);
}
