/* completion.h: one writer per shell. The program itself lists the labs at completion. */
#include "completion.h"

#include <string.h>

#include "base/nearest.h"
#include "gpu/gpu.h"
#include "options.h"

/* What may follow an option. */
typedef struct {
	const char *option;
	const char *words; /* NULL: any file */
	bool gpus;         /* and the names of GPUs */
} Values;

static const Values values[] = {
	{"device", "auto emu cuda:0", true},
	{"model", "all", true},
	{"color", "auto always never", false},
#define CHECKER(id, name, what) #name " "
	{"check",
#include "emu/check/checkers.def"
	 "all", false},
#undef CHECKER
	{"completion", "bash zsh fish", false},
	{"json", NULL, false},
	{"csv", NULL, false},
	{"html", NULL, false},
	{"recorded", NULL, false},
};

static void gpu_word(FILE *out, const Gpu *gpu) {
	fputc(' ', out);
	for (const char *s = gpu->name; *s; s++)
		if (*s != ' ') fputc(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s, out);
}

/* The names of GPUs as one word each: "gtx280". */
static void gpu_words(FILE *out) {
	const Gpu *gpu;
	for (size_t i = 0; (gpu = gpu_at(i)); i++) gpu_word(out, gpu);
	for (size_t i = 0; (gpu = gpu_card_at(i)); i++) gpu_word(out, gpu);
}

static void words_of(FILE *out, const Values *v) {
	fputs(v->words, out);
	if (v->gpus) gpu_words(out);
}

static const Values *values_of(const OptionText *option) {
	for (size_t i = 0; option->name && i < sizeof values / sizeof *values; i++)
		if (strcmp(values[i].option, option->name) == 0) return &values[i];
	return NULL;
}

/* --- bash --------------------------------------------------------------------------------------------------------- */

static void bash_names(FILE *out, bool only_with_value) {
	const char *gap = "";
	OptionText o;
	for (int i = 0; options_text(i, &o); i++) {
		if (only_with_value && (!o.value || values_of(&o))) continue;
		const char *between = only_with_value ? "|" : " ";
		if (o.letter) fprintf(out, "%s-%c", gap, o.letter), gap = between;
		if (o.name) fprintf(out, "%s--%s", gap, o.name), gap = between;
	}
}

static void bash_words(FILE *out, const OptionText *o, const Values *v) {
	fprintf(out, "\t--%s) COMPREPLY=($(compgen -W '", o->name);
	words_of(out, v);
	fputs("' -- \"$word\")); return ;;\n", out);
}

/* The words that are not labs; each lists its options by --help. */
static const char subcommands[] = "check grade exec new-lab";

/* The steps or exercises of the lab on the line, by number or name; a path would be run, and is not. Then the first
 * word that is a subcommand, and its options. */
static const char bash_functions[] =
	"_gpulab_of() {\n"
	"\tlocal lab\n"
	"\tfor lab in \"${COMP_WORDS[@]:1}\"; do\n"
	"\t\tcase $lab in -*|*/*|*.lua|'') continue ;; esac\n"
	"\t\tGPULAB_OF=$lab GPULAB_LIST=$1 gpulab -n -q -e 'local w = os.getenv \"GPULAB_OF\" '"
	"'for _, l in ipairs(require(\"gpulab.lab.targets\").labs()) do if l.name == w or tostring(l.number) == w then '"
	"'for _, s in ipairs(dofile(l.path)[os.getenv \"GPULAB_LIST\"]) do print(s.id) end end end' </dev/null "
	"2>/dev/null\n"
	"\tdone\n"
	"}\n"
	"_gpulab_flags() {\n"
	"\tgpulab \"$1\" --help </dev/null 2>/dev/null | awk '/^  (-., )?--/ { sub(/^  (-., )?/, \"\"); print $1 }'\n"
	"}\n"
	"_gpulab_labs() {\n"
	"\tgpulab --list 2>/dev/null | awk '{print $2}'\n"
	"}\n"
	"_gpulab_after() {\n"
	"\tlocal i place=0\n"
	"\tfor ((i = $2 + 1; i < COMP_CWORD; i++)); do [[ ${COMP_WORDS[i]} == -* ]] || ((++place)); done\n"
	"\tif [[ $word == -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$(_gpulab_flags \"$1\")\" -- \"$word\"))\n"
	"\telif [[ $1 == check && $place == 0 ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$(_gpulab_labs)\" -- \"$word\") $(compgen -f -X '!*.lua' -- \"$word\"))\n"
	"\telif [[ $1 == check && $place == 1 ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$(_gpulab_of exercises)\" -- \"$word\"))\n"
	"\telif [[ $1 == grade && $before == --lab ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$(_gpulab_labs)\" -- \"$word\"))\n"
	"\telse\n"
	"\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
	"\tfi\n"
	"}\n";

static void bash(FILE *out) {
	fputs("# bash completion for gpulab, made by gpulab --completion bash\n", out);
	fputs(bash_functions, out);
	fputs("_gpulab() {\n"
		  "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
		  "\tlocal IFS=$' \\t\\n'\n"
		  "\tlocal i\n"
		  "\tCOMPREPLY=()\n"
		  "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		  "\t\tcase ${COMP_WORDS[i]} in ",
		  out);
	for (const char *c = subcommands; *c; c++) fputc(*c == ' ' ? '|' : *c, out);
	fputs(") _gpulab_after \"${COMP_WORDS[i]}\" $i; return ;; esac\n"
		  "\tdone\n"
		  "\tcase $before in\n",
		  out);
	OptionText o;
	for (int i = 0; options_text(i, &o); i++) {
		const Values *v = values_of(&o);
		if (!v) continue;
		if (v->words)
			bash_words(out, &o, v);
		else
			fprintf(out, "\t--%s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", o.name);
	}
	fputs("\t--step) COMPREPLY=($(compgen -W \"$(_gpulab_of steps)\" -- \"$word\")); return ;;\n\t", out);
	bash_names(out, true);
	fputs(") return ;;\n"
		  "\tesac\n"
		  "\tif [[ $word == -* ]]; then\n"
		  "\t\tCOMPREPLY=($(compgen -W '",
		  out);
	bash_names(out, false);
	fputs("' -- \"$word\"))\n"
		  "\telse\n"
		  "\t\tCOMPREPLY=($(compgen -W \"$(_gpulab_labs) ",
		  out);
	fputs(subcommands, out);
	fputs("\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
		  "\tfi\n"
		  "}\n"
		  "complete -o filenames -F _gpulab gpulab\n",
		  out);
}

/* --- zsh ---------------------------------------------------------------------------------------------------------- */

/* Inside '...[...]': brackets, colons and quotes mean something there. */
static void zsh_text(FILE *out, const char *text) {
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fprintf(out, strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
	}
}

static void zsh_option(FILE *out, const OptionText *o, const char *dashes) {
	const Values *v = values_of(o);
	fprintf(out, "\t\t'*%s%s[", dashes, o->value && dashes[1] == '-' ? "=" : "");
	zsh_text(out, o->help);
	fputs("]", out);
	if (o->value) {
		fprintf(out, ":%s:", o->value);
		if (v && v->words) {
			fputs("(", out);
			words_of(out, v);
			fputs(")", out);
		} else if (v) {
			fputs("_files", out);
		}
	}
	fputs("' \\\n", out);
}

static void zsh(FILE *out) {
	fputs("#compdef gpulab\n"
		  "# zsh completion for gpulab, made by gpulab --completion zsh\n"
		  "_gpulab_lab() {\n"
		  "\tcompadd -- ${(f)\"$(gpulab --list 2>/dev/null | awk '{print $2}')\"} ${=1}\n"
		  "\t_files -g '*.lua'\n"
		  "}\n"
		  "_gpulab_after() {\n"
		  "\tlocal -a flags\n"
		  "\tflags=(${(f)\"$(gpulab $1 --help 2>/dev/null | awk '/^  (-., )?--/ { sub(/^  (-., )?/, \"\"); print $1 "
		  "}')\"})\n"
		  "\tif [[ $PREFIX == -* ]]; then compadd -- $flags; elif [[ $1 == check ]]; then _gpulab_lab; fi\n"
		  "\t[[ $PREFIX == -* ]] || _files\n"
		  "}\n"
		  "_gpulab() {\n"
		  "\tlocal w\n"
		  "\tfor w in ${words[2,CURRENT-1]}; do\n"
		  "\t\tcase $w in ",
		  out);
	for (const char *c = subcommands; *c; c++) fputc(*c == ' ' ? '|' : *c, out);
	fputs(") _gpulab_after $w; return ;; esac\n"
		  "\tdone\n"
		  "\t_arguments -s \\\n",
		  out);
	OptionText o;
	for (int i = 0; options_text(i, &o); i++) {
		char dashes[64];
		if (o.letter) {
			snprintf(dashes, sizeof dashes, "-%c", o.letter);
			zsh_option(out, &o, dashes);
		}
		if (o.name) {
			snprintf(dashes, sizeof dashes, "--%s", o.name);
			zsh_option(out, &o, dashes);
		}
	}
	fputs("\t\t'1:lab or script:_gpulab_lab \"", out);
	fputs(subcommands, out);
	fputs("\"' '*:argument:_files'\n"
		  "}\n"
		  "_gpulab \"$@\"\n",
		  out);
}

/* --- fish --------------------------------------------------------------------------------------------------------- */

static void fish(FILE *out) {
	fputs("# fish completion for gpulab, made by gpulab --completion fish\n"
		  "complete -c gpulab -a \"(gpulab --list 2>/dev/null | awk '{print \\$2}')\" -d lab\n",
		  out);
	fprintf(out, "complete -c gpulab -n 'not __fish_seen_subcommand_from %s' -a '%s' -d subcommand\n", subcommands,
			subcommands);
	fprintf(out,
			"for w in %s\n"
			"\tcomplete -c gpulab -n \"__fish_seen_subcommand_from $w\" -a \"(gpulab $w --help 2>/dev/null "
			"| string match -rg '^  (?:-., )?(--[a-z-]+)')\"\n"
			"end\n",
			subcommands);
	OptionText o;
	for (int i = 0; options_text(i, &o); i++) {
		const Values *v = values_of(&o);
		fputs("complete -c gpulab", out);
		if (o.letter) fprintf(out, " -s %c", o.letter);
		if (o.name) fprintf(out, " -l %s", o.name);
		if (o.value) fputs(v && !v->words ? " -r" : " -x", out);
		if (v && v->words) {
			fputs(" -a '", out);
			words_of(out, v);
			fputs("'", out);
		}
		fputs(" -d '", out);
		for (const char *c = o.help; *c; c++) fprintf(out, strchr("'\\", *c) ? "\\%c" : "%c", *c);
		fputs("'\n", out);
	}
}

bool completion_write(FILE *out, const char *shell, Err *err) {
	static const struct {
		const char *name;
		void (*write)(FILE *out);
	} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
	static const char *const names[] = {"bash", "zsh", "fish", NULL};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shell, shells[i].name) != 0) continue;
		shells[i].write(out);
		return true;
	}
	err_set(err, ERR_USAGE, "there is no completion for %.100s", shell);
	const char *near = nearest(shell, names);
	if (near) return err_hint(err, "did you mean %s?", near);
	return err_hint(err, "there is one for bash, zsh and fish");
}
