/* What the emulator covers, determined by lowering: a form is covered if lowering it leaves no Op that faults by
 * name. */
#pragma once

#include "emu/machine.h"
#include "forms.h"

/* Calls found for every instruction of the loaded module that would fault as not covered; returns how many there
 * are. */
size_t emu_uncovered(const EmuModule *module, void (*found)(void *user, const PtxFunction *in, const PtxInstr *instr),
					 void *user);

/* covered[i]: whether forms.data[i] is. */
bool coverage_of(const Forms *forms, bool *covered, Err *err);
