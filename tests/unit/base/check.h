/* What cmocka wants included first, and a scratch folder for tests of files. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Runs body in a child and gives its exit status: for what ends the process. Its standard error is thrown away. */
int exit_status_of(void (*body)(void));
