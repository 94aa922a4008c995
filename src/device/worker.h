/* The worker process: everything that touches a GPU lives here, so that a hang or a fault costs this process and never the prompt.
 * The program starts itself as `gpulab --worker NAME` (proxy.c) with one end of a socket as descriptor WORKER_FD and memory of
 * WIRE_PIECE bytes, shared by both, as WORKER_SHARED: calls go over the socket, bulk data lie in that memory. */
#ifndef GPULAB_DEVICE_WORKER_H
#define GPULAB_DEVICE_WORKER_H

#include "device/backend.h"

enum { WORKER_FD = 3, WORKER_SHARED = 4 };

/* Opens NAME ("cuda:0", "emu:GTX 280") and serves it until the other end closes. Returns the process's exit status. */
int worker_main(const char *device_name, int fd);

/* Serves an open backend; closes it at the end. */
int worker_serve(Backend *backend, int fd);

#endif
