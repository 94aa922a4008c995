// Task: every product has a thread of its own here, and the threads of an
// element write over each other's sums. Make it right without atomics. The
// launch stays as it is: a block of 32 threads for each of the n × n elements,
// whose C begins as zero.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	for (int k = threadIdx.x; k < n; k += 32)
		C[i * n + j] += A[i * n + k] * B[k * n + j];
}
