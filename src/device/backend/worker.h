/* The worker process of a device: everything that touches a GPU or emulates one is here, so that a hang or a fault
 * costs this process and never the prompt (wire/serve.h). */
#pragma once

#include "device/backend/messages.h"
#include "wire/serve.h"

/* Serves what the first message opens ("cuda:0", an emulator) until the other end closes. Returns the process's exit
 * status. */
int worker_main(int fd);

/* How each call of BACKEND_CALLS is served by the backend that server->self is; the other rows are empty. */
void worker_calls(ServeCall calls[MESSAGES]);

/* Serves an open backend; closes it at the end. */
int worker_serve(Backend *backend, int fd);
