/* What of a program only ptxas, NVIDIA's assembler, checks. Where there is none of it, an emulator can do without a
 * compile to SASS, which takes a third of NVRTC's time. In doubt there is. */
#pragma once

#include <stdbool.h>

bool ptxas_reads_option(const char *option); /* or may: all but some of the language's own */
bool ptxas_checks_source(const char *text);  /* inline assembly, or words put together by ## */
/* Of PTX that NVRTC made: static memory beyond what every GPU has, functions without a body, votes and shuffles without
 * a mask. */
bool ptxas_may_refuse(const char *ptx);
