// C = A · B for n × n matrices, by three loops: over rows i, columns j, and k,
// along which products are added up. Which of the loops become threads?

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

// The loops over i and j: a thread computes one element. n² threads, which have
// nothing to say to each other.
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

// All three loops, wrong: n threads read an element of C, add to it and write
// it back, each as if it were alone.
__global__ void inner_loop(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	for (int k = threadIdx.x; k < n; k += blockDim.x)
		C[i * n + j] += A[i * n + k] * B[k * n + j];
}

// All three loops, right: the addition is one step that nobody can come
// between. The n additions to an element are made one after the other all the
// same.
__global__ void inner_loop_atomic(float *C, const float *A, const float *B,
	int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	for (int k = threadIdx.x; k < n; k += blockDim.x)
		atomicAdd(&C[i * n + j], A[i * n + k] * B[k * n + j]);
}
