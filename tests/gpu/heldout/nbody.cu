// What all bodies pull at each, tile after tile through shared memory.
__global__ void nbody(float4 *force, const float4 *body, int n) {
	__shared__ float4 tile[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	float4 me = body[i];
	float x = 0, y = 0, z = 0;
	for (int first = 0; first < n; first += 256) {
		tile[threadIdx.x] = body[first + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < 256; k++) {
			float4 other = tile[k];
			float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
			float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
			float pull = other.w * inverse * inverse * inverse;
			x += dx * pull;
			y += dy * pull;
			z += dz * pull;
		}
		__syncthreads();
	}
	force[i] = make_float4(x, y, z, 0);
}
