/* One run of the program: what the command line asked for, carried out by lua/gpulab/app.lua. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

typedef VEC(const char *) Words;

/* An option as its help has it. */
typedef struct {
	const char *name;  /* without dashes; NULL: only short */
	char letter[2];    /* "": only long */
	const char *value; /* what the help calls it; NULL: takes none */
	const char *help;
} OptionText;

/* Texts belong to argv. */
typedef struct SessionOptions {
	const char *device; /* NULL: the first GPU, else the emulator */
	Words models;       /* --model */
	Words gpus;         /* --gpu */
	const char *step, *json, *csv, *html, *recorded;
	const char *check; /* --check: "race,init" */
	Words settings;    /* --set: "n=4096" */
	Words plots;       /* --plot: "offset", "offset=curve.svg" */
	Words traces;      /* --trace: "tile", "tile:0-3=blocks.json" */
	Words include;     /* -I */
	Words defines;     /* -D: "TILE=32", "DEBUG" */
	Words chunks;      /* -e */
	bool batch, interactive, list, devices, verify_lectures, verify_labs, claims, demo, no_init, no_lock, quiet;
	ColorChoice color;
	const char *standard;   /* -std: "c++20" */
	const char *completion; /* --completion: "bash" */
	const char *target;     /* lab, script, "-", or NULL */
	char **argv;
	int argc, target_at; /* argv[target_at] is the target; argc: there is none */
	/* Options written after a lab are still ours (after a script they are the script's): reads them into this
	 * struct. */
	bool (*late)(struct SessionOptions *options, Err *err);
	bool (*describe)(int i, OptionText *out); /* the options that are no secret; false where there are no more */
} SessionOptions;

/* Returns the process's exit status. */
int session_run(SessionOptions *options);
