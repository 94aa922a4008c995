/* What gpulab exec does for one process of a program: a connection, and a worker with a device of the process's own. */
#pragma once

#include <sys/types.h>

#include "exec/exec.h"

typedef struct Session Session;

/* NULL with err: no device. The connection is closed with the session. */
Session *session_open(const ExecOptions *options, ExecResult *result, int connection, pid_t process, Err *err);
void session_close(Session *s);
int session_memory(const Session *s); /* a descriptor of the device's memory, for the process to map */
int session_connection(const Session *s);
/* A call that has come. False: the connection is over. */
bool session_serve(Session *s);
