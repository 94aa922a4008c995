/* The compile worker itself: `gpulab --worker compile`. */
#pragma once

#define COMPILE_SERVICE "compile"

/* Serves the calls of compile/calls.h until the other end closes. Does not return. */
_Noreturn void compile_worker_main(int fd);

/* For the main of a program other than gpulab that compiles: it starts itself as the worker. Returns unless this is
 * that. */
void compile_worker_if_asked(int argc, char **argv);
