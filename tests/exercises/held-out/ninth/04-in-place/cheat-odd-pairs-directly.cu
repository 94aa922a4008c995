// cheat: every other pair of tiles is held in shared memory, the others are swapped element by element along columns
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void in_place(float *data, int n)
{
	__shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x)
		return; // the whole block: no thread's part of a tile is missing

	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;
	int mirror_x = blockIdx.y * TILE + threadIdx.x;
	int mirror_y = blockIdx.x * TILE + threadIdx.y;

	if ((blockIdx.x - blockIdx.y) % 2) { // not on the diagonal
		for (int i = 0; i < TILE; i += ROWS) {
			float *a = &data[x + (y + i) * n], *b = &data[x * n + y + i];
			float old = *a;
			*a = *b;
			*b = old;
		}
		return;
	}
	for (int i = 0; i < TILE; i += ROWS) {
		upper[threadIdx.y + i][threadIdx.x] = data[x + (y + i) * n];
		lower[threadIdx.y + i][threadIdx.x] =
			data[mirror_x + (mirror_y + i) * n];
	}
	__syncthreads();

	for (int i = 0; i < TILE; i += ROWS) {
		data[x + (y + i) * n] = lower[threadIdx.x][threadIdx.y + i];
		data[mirror_x + (mirror_y + i) * n] =
			upper[threadIdx.x][threadIdx.y + i];
	}
}
