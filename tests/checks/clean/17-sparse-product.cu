// A warp a row, compressed rows.
// @kernel product
// @grid 4
// @block 128
// @buffer y f32 16 poison
// @buffer start i32 17 i * (i - 1) / 2
// @buffer column i32 120 i % 13
// @buffer value f32 120 i % 4
// @buffer x f32 13 i
// @arg y
// @arg start
// @arg column
// @arg value
// @arg x
// @reference sparse_product
__global__ void product(float *y, const int *start, const int *column, const float *value, const float *x)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (int k = start[row] + lane; k < start[row + 1]; k += 32)
		sum += value[k] * x[column[k]];
	for (int d = 16; d; d /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, d);
	if (lane == 0)
		y[row] = sum;
}
