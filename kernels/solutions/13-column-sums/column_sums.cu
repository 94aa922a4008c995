// Each block of threads takes a strip of rows. One kernel sums the strips, one turns these sums
// into what comes before each strip, and one adds up the rows of a strip from there on: the matrix
// is read twice and written once.
static const int STRIP = 128; // rows
static const int WIDTH = 256; // columns of a block, one per thread

__global__ void sum_strips(const int *in, int *sums, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x;
	int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
#pragma unroll 8
	for (int row = first; row < last; row++) sum += in[(size_t)row * columns + column];
	sums[(size_t)blockIdx.y * columns + column] = sum;
}

__global__ void sums_before(int *sums, int strips, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int before = 0;
#pragma unroll 8
	for (int strip = 0; strip < strips; strip++) {
		int sum = sums[(size_t)strip * columns + column];
		sums[(size_t)strip * columns + column] = before;
		before += sum;
	}
}

__global__ void add_rows(const int *in, const int *before, int *out, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x;
	int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = before[(size_t)blockIdx.y * columns + column];
#pragma unroll 8
	for (int row = first; row < last; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}

void column_sums(const int *in, int *out, int rows, int columns)
{
	int strips = (rows + STRIP - 1) / STRIP, across = (columns + WIDTH - 1) / WIDTH;
	int *sums;
	cudaMalloc(&sums, (size_t)strips * columns * sizeof(int));
	sum_strips<<<dim3(across, strips), WIDTH>>>(in, sums, rows, columns);
	sums_before<<<(columns + 63) / 64, 64>>>(sums, strips, columns);
	add_rows<<<dim3(across, strips), WIDTH>>>(in, sums, out, rows, columns);
	cudaFree(sums);
}
