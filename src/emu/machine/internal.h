/* What a machine consists of, for the files of this folder; step/ uses the functions. */
#pragma once

#include "emu/code/program.h"
#include "emu/exec/texture.h"
#include "emu/machine.h"
#include "emu/memory/memory.h"

enum { MOST_HOST_THREADS = 256 };

struct Machine {
	const Gpu *gpu;
	unsigned threads; /* of the host, at most MOST_HOST_THREADS */
	Memory *memory;
	Textures *textures;
	EmuModule *modules;
	bool keeps_registers;
};

Memory *machine_memory(const Machine *machine);
Textures *machine_textures(const Machine *machine);
