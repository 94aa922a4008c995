// @kernel forces
// @grid 2
// @block 64
// @buffer force f32 128 poison
// @buffer place f32 128 i * 3 % 50
// @arg force
// @arg place
// @arg i32 128
// @reference n_body
__global__ void forces(float *force, const float *place, int n)
{
	__shared__ float tile[64];
	float mine = place[blockIdx.x * 64 + threadIdx.x], sum = 0;
	for (int base = 0; base < n; base += 64) {
		tile[threadIdx.x] = place[base + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < 64; k++) {
			float d = tile[k] - mine;
			sum += d / (d * d * fabsf(d) + 1);
		}
		__syncthreads();
	}
	force[blockIdx.x * 64 + threadIdx.x] = sum;
}
