// The framework of the project: makes a matrix, calls column_sums, checks what it computed.
//
//     framework ROWS COLUMNS SEED
//
// ends with 0 if the result is right, 3 if it is wrong, 2 if CUDA reports an error. Your file is linked with it.
#include <cuda_runtime_api.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Yours. in and out are in the memory of the GPU; element (row, column) is at [row * columns + column].
void column_sums(const int *in, int *out, int rows, int columns);

namespace {

void must(cudaError_t error, const char *what)
{
	if (error == cudaSuccess) return;
	std::printf("%s: %s\n", what, cudaGetErrorString(error));
	std::exit(2);
}

// Values from -1000 to 1000, by xorshift.
void fill(std::vector<int> &values, uint32_t seed)
{
	uint32_t state = seed * 2654435761u | 1;
	for (int &value : values) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		value = (int)(((uint64_t)state * 2001) >> 32) - 1000;
	}
}

int wrong(size_t row, size_t column, int got, int expected)
{
	std::printf("row %zu, column %zu: got %d, expected %d\n", row, column, got, expected);
	return 3;
}

int check(const std::vector<int> &in, const std::vector<int> &out, size_t rows, size_t columns)
{
	std::vector<int> sums(columns, 0);
	for (size_t row = 0; row < rows; row++)
		for (size_t column = 0; column < columns; column++) {
			const size_t at = row * columns + column;
			sums[column] += in[at];
			if (out[at] != sums[column]) return wrong(row, column, out[at], sums[column]);
		}
	return 0;
}

}

int main(int argc, char **argv)
{
	if (argc != 4) return std::printf("usage: framework ROWS COLUMNS SEED\n"), 64;
	const int rows = std::atoi(argv[1]), columns = std::atoi(argv[2]);
	const size_t n = (size_t)rows * columns, bytes = n * sizeof(int);
	std::vector<int> in(n), out(n);
	int *d_in, *d_out;
	fill(in, (uint32_t)std::atoi(argv[3]));
	must(cudaMalloc((void **)&d_in, bytes), "cudaMalloc");
	must(cudaMalloc((void **)&d_out, bytes), "cudaMalloc");
	must(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	must(cudaMemset(d_out, 0x80, bytes), "cudaMemset");

	column_sums(d_in, d_out, rows, columns);
	must(cudaGetLastError(), "a launch");
	must(cudaDeviceSynchronize(), "a kernel");

	must(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
	const int status = check(in, out, rows, columns);
	if (status) return status;
	must(cudaMemcpy(out.data(), d_in, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
	for (size_t i = 0; i < n; i++)
		if (out[i] != in[i]) return std::printf("the input was changed\n"), 3;
	must(cudaFree(d_in), "cudaFree");
	must(cudaFree(d_out), "cudaFree");
	return 0;
}
