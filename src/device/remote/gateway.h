/* `gpulab --worker gateway`: the far end of a connection over standard input and output, as ssh and srun make one. It
 * opens a worker of its own machine through the same proxy as a prompt does, so that worker has its sandbox, its limits
 * and its shared memory, and may die while the connection, and with it the place in a batch queue, stays.
 *
 * Its own part: greeting, the data that comes inline, contents kept by their hash, definitions made here, cancels, the
 * GPU's lock, a sign of life each second while a call takes long, and its end when nothing is asked for a while. */
#pragma once

#define GATEWAY_SERVICE "gateway"

/* Returns the process's exit status. */
int gateway_main(void);
