// an atomic addition in PTX
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32) sum += A[i * n + k] * B[k * n + j];
	asm volatile("red.global.add.f32 [%0], %1;" :: "l"(__cvta_generic_to_global(C + i * n + j)), "f"(sum) : "memory");
}
