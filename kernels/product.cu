// C = A · B for n × n matrices has three loops: over rows i, columns j, and k,
// which accumulates products. Which of the loops should be parallelized?

// The loop over i: a thread computes a whole row of C. Only n threads.
__global__ void one_loop(float *C, const float *A, const float *B, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	for (int j = 0; j < n; j++) {
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += A[i * n + k] * B[k * n + j];
		C[i * n + j] = sum;
	}
}

// The loops over i and j: a thread computes one element. n² threads, and no
// synchronization between them.
__global__ void two_loops(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= n)
		return;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	C[i * n + j] = sum;
}

// All three loops, wrong: the 32 threads of a block update the same element of
// C without synchronization. Each takes every 32nd product.
__global__ void inner_loop(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	for (int k = threadIdx.x; k < n; k += blockDim.x)
		C[i * n + j] += A[i * n + k] * B[k * n + j];
}

// All three loops, correct: the addition is one indivisible operation. The n
// additions to an element are still serialized, by the atomic units of the
// memory system.
__global__ void inner_loop_atomic(float *C, const float *A, const float *B,
	int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	for (int k = threadIdx.x; k < n; k += blockDim.x)
		atomicAdd(&C[i * n + j], A[i * n + k] * B[k * n + j]);
}
