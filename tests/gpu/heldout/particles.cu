// One step of particles that fly straight, with a particle's fields together (aos) and with each field apart (soa).
struct Particle {
	float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void aos(Particle *p, float dt) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].x += dt * p[i].vx;
	p[i].y += dt * p[i].vy;
	p[i].z += dt * p[i].vz;
}

__global__ void soa(float *field, float dt, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 3; k++) field[k * n + i] += dt * field[(k + 4) * n + i];
}
