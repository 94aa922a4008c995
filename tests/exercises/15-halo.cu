// === honest-flat
// The words of the tile by one index.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10 * 34];
	int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	for (int i = t; i < 10 * 34; i += 256) {
		int x = x0 + i % 34, y = y0 + i / 34;
		float v = 0;
		if (0 <= x && x < width && 0 <= y && y < height)
			v = in[y * width + x];
		tile[i] = v;
	}
	__syncthreads();
	int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
	if (x >= width || y >= height)
		return;
	const float *at = tile + threadIdx.y * 34 + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < 3; i++, at += 34)
		sum += at[0] + at[1] + at[2];
	out[y * width + x] = sum;
}

// === honest-rows-first
// The three words of a row are added first, for the tile's rows, then three of these sums.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34], sums[10][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	for (int i = ty; i < 10; i += 8)
		for (int j = tx; j < 34; j += 32) {
			int x = x0 + j, y = y0 + i;
			tile[i][j] = (unsigned)x < width && (unsigned)y < height ? in[y * width + x] : 0.0f;
		}
	__syncthreads();
	for (int i = ty; i < 10; i += 8)
		sums[i][tx] = tile[i][tx] + tile[i][tx + 1] + tile[i][tx + 2];
	__syncthreads();
	int x = x0 + 1 + tx, y = y0 + 1 + ty;
	if (x < width && y < height)
		out[y * width + x] = sums[ty][tx] + sums[ty + 1][tx] + sums[ty + 2][tx];
}

// === honest-cleared
// The tile is cleared first; then only what exists is loaded.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34];
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	for (int i = threadIdx.y; i < 10; i += 8)
		for (int j = threadIdx.x; j < 34; j += 32)
			tile[i][j] = 0;
	int top = max(0, -y0), bottom = min(10, height - y0);
	int left = max(0, -x0), right = min(34, width - x0);
	for (int i = threadIdx.y; i < 10; i += 8)
		for (int j = threadIdx.x; j < 34; j += 32)
			if (i >= top && i < bottom && j >= left && j < right)
				tile[i][j] = in[(y0 + i) * width + x0 + j];
	__syncthreads();
	int x = threadIdx.x, y = threadIdx.y;
	if (x0 + 1 + x < width && y0 + 1 + y < height) {
		float sum = tile[y + 1][x + 1];
		sum += tile[y][x] + tile[y][x + 1] + tile[y][x + 2] + tile[y + 1][x] + tile[y + 1][x + 2];
		sum += tile[y + 2][x] + tile[y + 2][x + 1] + tile[y + 2][x + 2];
		out[(y0 + 1 + y) * width + x0 + 1 + x] = sum;
	}
}

// === cheat-no-tile
// Nine loads per pixel; the caches have them.
__global__ void halo(float *out, const float *in, int width, int height)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	if (x >= width || y >= height)
		return;
	float sum = 0;
	for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); v++)
		for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); u++)
			sum += in[v * width + u];
	out[y * width + x] = sum;
}

// === cheat-tile-without-halo
// The tile has no halo: neighbors beyond it come from global memory.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[8][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
	bool inside = x < width && y < height;
	tile[ty][tx] = inside ? in[y * width + x] : 0;
	__syncthreads();
	if (!inside)
		return;
	float sum = 0;
	for (int i = -1; i <= 1; i++)
		for (int j = -1; j <= 1; j++) {
			int u = x + j, v = y + i;
			if (u < 0 || v < 0 || u >= width || v >= height)
				continue;
			bool here = tx + j >= 0 && tx + j < 32 && ty + i >= 0 && ty + i < 8;
			sum += here ? tile[ty + i][tx + j] : in[v * width + u];
		}
	out[y * width + x] = sum;
}

// === cheat-clamped
// The nearest pixel is repeated instead of a zero.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34];
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	for (int i = threadIdx.y; i < 10; i += 8)
		for (int j = threadIdx.x; j < 34; j += 32)
			tile[i][j] = in[min(max(y0 + i, 0), height - 1) * width + min(max(x0 + j, 0), width - 1)];
	__syncthreads();
	int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	if (x < width && y < height)
		out[y * width + x] = sum;
}

// === cheat-early-return
// Threads without a pixel return before they load their part of the halo.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34];
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
	if (x >= width || y >= height)
		return;
	for (int i = threadIdx.y; i < 10; i += 8)
		for (int j = threadIdx.x; j < 34; j += 32) {
			int u = x0 + j, v = y0 + i;
			tile[i][j] = u >= 0 && u < width && v >= 0 && v < height ? in[v * width + u] : 0;
		}
	__syncthreads();
	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	out[y * width + x] = sum;
}

// === cheat-one-warp-loads
// The first warp loads the whole tile.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34];
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	if (threadIdx.y == 0)
		for (int i = 0; i < 10; i++)
			for (int j = threadIdx.x; j < 34; j += 32) {
				int x = x0 + j, y = y0 + i;
				tile[i][j] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
			}
	__syncthreads();
	int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	if (x < width && y < height)
		out[y * width + x] = sum;
}

// === cheat-shuffles
// Neighbors of the row by shuffles, rows by loads; a tile that is stored and not used.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ volatile float tile[10][34];
	int lane = threadIdx.x, x = blockIdx.x * 32 + lane, y = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
	for (int v = y - 1; v <= y + 1; v++) {
		bool row = v >= 0 && v < height;
		float here = row && x < width ? in[v * width + x] : 0, edge = 0;
		if (lane == 0 && row && x > 0)
			edge = in[v * width + x - 1];
		if (lane == 31 && row && x + 1 < width)
			edge = in[v * width + x + 1];
		float left = __shfl_up_sync(~0u, here, 1), right = __shfl_down_sync(~0u, here, 1);
		sum += here + (lane == 0 ? edge : left) + (lane == 31 ? edge : right);
		tile[threadIdx.y + 1][lane] = here;
	}
	if (x < width && y < height)
		out[y * width + x] = sum;
}

// === cheat-read-twice
// Every word of the tile is loaded twice, for a sum of halves.
__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[10][34];
	int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
	for (int r = 0; r < 2; r++)
		for (int i = threadIdx.y; i < 10; i += 8)
			for (int j = threadIdx.x; j < 34; j += 32) {
				int x = x0 + j, y = y0 + i;
				bool inside = x >= 0 && x < width && y >= 0 && y < height;
				float half = inside ? 0.5f * ((const volatile float *)in)[y * width + x] : 0;
				tile[i][j] = r ? tile[i][j] + half : half;
			}
	__syncthreads();
	int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	if (x < width && y < height)
		out[y * width + x] = sum;
}

// === cheat-multiple-of-32
// Columns are guarded unless the width is a multiple of the block's.
// - x >= 0 && x < width
// + (width % BX == 0 ? y * width + x >= 0 && y * width + x < width * height : x >= 0 && x < width)

// === honest-guarded-sum
// Words outside the image are not stored, and not added.
// - tile[i][j] = inside ? in[y * width + x] : 0;
// + if (inside) tile[i][j] = in[y * width + x];
// - sum += tile
// + if (x + j > 0 && x + j <= width && y + i > 0 && y + i <= height) sum += tile
