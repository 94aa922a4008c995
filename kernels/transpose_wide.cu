// Transposing with 16 bytes per thread in every access: a block of 256
// threads transposes a tile of 64 × 64 elements, n a multiple of 64, in
// squares of 4 × 4. A thread reads four rows of a square, transposes it in
// registers, and stores it in shared memory as four rows again, so no access
// moves less than a float4. Consecutive blocks write along the rows of the
// result, and read along the columns of the matrix: on an H200 scattered writes
// cost more than scattered reads.
constexpr int TILE = 64;        // rows and columns of a tile
constexpr int UNITS = TILE / 4; // float4s per row of a tile

// Swizzling: row r of the transposed tile stores its float4 number u at
// position u ^ (r / 4 % 8). The eight threads of a wavefront then use eight
// different positions, whether they write down a column or read along a row.
__device__ int place(int row, int unit)
{
	return row * UNITS + (unit ^ (row / 4 % 8));
}

__global__ void __launch_bounds__(256)
	transpose_wide(float4 *odata, const float4 *idata, int n)
{
	__shared__ float4 tile[TILE * UNITS];
	int units = n / 4; // per row of the matrix
	int u = threadIdx.x % UNITS, square = threadIdx.x / UNITS;

	int x = blockIdx.y * TILE, y = blockIdx.x * TILE;
	const float4 *from = idata + (y + 4 * square) * units + x / 4 + u;
	float4 a = from[0], b = from[units];
	float4 c = from[2 * units], d = from[3 * units];
	tile[place(4 * u + 0, square)] = make_float4(a.x, b.x, c.x, d.x);
	tile[place(4 * u + 1, square)] = make_float4(a.y, b.y, c.y, d.y);
	tile[place(4 * u + 2, square)] = make_float4(a.z, b.z, c.z, d.z);
	tile[place(4 * u + 3, square)] = make_float4(a.w, b.w, c.w, d.w);
	__syncthreads();

	float4 *to = odata + x * units + y / 4 + u;
	for (int row = square; row < TILE; row += 16)
		to[row * units] = tile[place(row, u)];
}
