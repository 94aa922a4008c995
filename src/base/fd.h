/* Descriptors: a call may move less than it was asked for, and a signal ends it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes all of it; false with errno. */
bool fd_write(int fd, const void *data, size_t len);
