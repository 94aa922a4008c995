-- Completion scripts for shells, made of the program's own options. For labs, steps and exercises they ask the program.
local host = require "gpulab.host"

local shells = {}

local subcommands <const> = "check doctor grade exec new-lab notebook serve lsp" -- each lists its options by --help

-- The names of GPUs as one word each: "gtx280".
local function gpus()
  local words = {}
  for _, known in ipairs(gpu.models()) do words[#words + 1] = known.name end
  table.move(gpu.cards(), 1, #gpu.cards(), #words + 1, words)
  for i, name in ipairs(words) do words[i] = name:lower():gsub(" ", "") end
  return table.concat(words, " ")
end

-- What may follow an option, by its name; "": any file.
local function values()
  local names = gpus()
  return { device = "auto emu cuda:0 " .. names, model = "all " .. names, color = "auto always never",
    check = table.concat(host.checks, " ") .. " all", completion = "bash zsh fish",
    json = "", csv = "", html = "", recorded = "" }
end

local function names_of(option)
  local names = { option.letter ~= "" and "-" .. option.letter or nil }
  names[#names + 1] = option.name and "--" .. option.name
  return names
end

local function filled(template, parts)
  return (template:gsub("@(%l+)@", parts))
end

-- bash: a path among the words would be run, and is not looked into.
local bash_script <const> = [=[
# bash completion for gpulab, made by gpulab --completion bash
_gpulab_of() {
	local lab
	for lab in "${COMP_WORDS[@]:1}"; do
		case $lab in -*|*/*|*.lua|'') continue ;; esac
		GPULAB_OF=$lab GPULAB_LIST=$1 gpulab -n -q -e 'local w = os.getenv "GPULAB_OF" '\
'for _, l in ipairs(require("gpulab.lab.targets").labs()) do if l.name == w or tostring(l.number) == w then '\
'for _, s in ipairs(dofile(l.path)[os.getenv "GPULAB_LIST"]) do print(s.id) end end end' </dev/null 2>/dev/null
	done
}
_gpulab_flags() {
	gpulab "$1" --help </dev/null 2>/dev/null | awk '/^  (-., )?--/ { sub(/^  (-., )?/, ""); print $1 }'
}
_gpulab_labs() {
	gpulab --list 2>/dev/null | awk '{print $2}'
}
_gpulab_after() {
	local i place=0
	for ((i = $2 + 1; i < COMP_CWORD; i++)); do [[ ${COMP_WORDS[i]} == -* ]] || ((++place)); done
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$(_gpulab_flags "$1")" -- "$word"))
	elif [[ $1 == check && $place == 0 ]]; then
		COMPREPLY=($(compgen -W "$(_gpulab_labs)" -- "$word") $(compgen -f -X '!*.lua' -- "$word"))
	elif [[ $1 == check && $place == 1 ]]; then
		COMPREPLY=($(compgen -W "$(_gpulab_of exercises)" -- "$word"))
	elif [[ $1 == grade && $before == --lab ]]; then
		COMPREPLY=($(compgen -W "$(_gpulab_labs)" -- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
_gpulab() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local IFS=$' \t\n'
	local i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in @alternatives@) _gpulab_after "${COMP_WORDS[i]}" $i; return ;; esac
	done
	case $before in
@cases@	--step) COMPREPLY=($(compgen -W "$(_gpulab_of steps)" -- "$word")); return ;;
	@others@) return ;;
	esac
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W '@names@' -- "$word"))
	else
		COMPREPLY=($(compgen -W "$(_gpulab_labs) @subcommands@" -- "$word") $(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _gpulab gpulab
]=]

local function bash(options, known)
  local cases, others, names = {}, {}, {}
  for _, o in ipairs(options) do
    local words = known[o.name or ""]
    if words then
      local made = words == "" and "compgen -f" or ("compgen -W '%s'"):format(words)
      cases[#cases + 1] = ('\t--%s) COMPREPLY=($(%s -- "$word")); return ;;\n'):format(o.name, made)
    end
    for _, name in ipairs(names_of(o)) do
      names[#names + 1] = name
      if o.value and not words then others[#others + 1] = name end
    end
  end
  return filled(bash_script, { cases = table.concat(cases), others = table.concat(others, "|"),
    names = table.concat(names, " "), subcommands = subcommands, alternatives = subcommands:gsub(" ", "|") })
end

local zsh_script <const> = [=[
#compdef gpulab
# zsh completion for gpulab, made by gpulab --completion zsh
_gpulab_lab() {
	compadd -- ${(f)"$(gpulab --list 2>/dev/null | awk '{print $2}')"} ${=1}
	_files -g '*.lua'
}
_gpulab_after() {
	local -a flags
	flags=(${(f)"$(gpulab $1 --help 2>/dev/null | awk '/^  (-., )?--/ { sub(/^  (-., )?/, ""); print $1 }')"})
	if [[ $PREFIX == -* ]]; then compadd -- $flags; elif [[ $1 == check ]]; then _gpulab_lab; fi
	[[ $PREFIX == -* ]] || _files
}
_gpulab() {
	local w
	for w in ${words[2,CURRENT-1]}; do
		case $w in @alternatives@) _gpulab_after $w; return ;; esac
	done
	_arguments -s \
@options@		'1:lab or script:_gpulab_lab "@subcommands@"' '*:argument:_files'
}
_gpulab "$@"
]=]

local function zsh(options, known)
  local lines = {}
  for _, o in ipairs(options) do
    local said, words = o.help:gsub("[%[%]:\\]", "\\%0"):gsub("'", "'\\''"), known[o.name or ""]
    local value = words == "" and "_files" or words and "(" .. words .. ")" or ""
    for _, name in ipairs(names_of(o)) do
      lines[#lines + 1] = ("\t\t'*%s%s[%s]%s' \\\n"):format(name, o.value and #name > 2 and "=" or "", said,
        o.value and (":%s:%s"):format(o.value, value) or "")
    end
  end
  return filled(zsh_script, { options = table.concat(lines), subcommands = subcommands,
    alternatives = subcommands:gsub(" ", "|") })
end

local fish_script <const> = [=[
# fish completion for gpulab, made by gpulab --completion fish
complete -c gpulab -a "(gpulab --list 2>/dev/null | awk '{print \$2}')" -d lab
complete -c gpulab -n 'not __fish_seen_subcommand_from @subcommands@' -a '@subcommands@' -d subcommand
for w in @subcommands@
	complete -c gpulab -n "__fish_seen_subcommand_from $w" -a "(gpulab $w --help 2>/dev/null @match@)"
end
@options@]=]

local function fish(options, known)
  local lines = {}
  for _, o in ipairs(options) do
    local words = known[o.name or ""]
    lines[#lines + 1] = table.concat {
      "complete -c gpulab", o.letter ~= "" and " -s " .. o.letter or "", o.name and " -l " .. o.name or "",
      o.value and (words == "" and " -r" or " -x") or "", words and words ~= "" and (" -a '%s'"):format(words) or "",
      (" -d '%s'\n"):format((o.help:gsub("['\\]", "\\%0"))) }
  end
  return filled(fish_script, { options = table.concat(lines), subcommands = subcommands,
    match = "| string match -rg '^  (?:-., )?(--[a-z-]+)'" })
end

local makers <const> = { bash = bash, zsh = zsh, fish = fish }

---Prints the script for a shell. options: a list of {name, letter, value, help}.
---@param shell string @param options table[] @return integer exit status
function shells.print(shell, options)
  local make = makers[shell]
  if not make then
    local near = host.nearest(shell, { "bash", "zsh", "fish" })
    gpu.raise("usage", ("there is no completion for %s"):format(shell:sub(1, 100)),
      near and ("did you mean %s?"):format(near) or "there is one for bash, zsh and fish")
  end
  io.stdout:write(make(options, values()))
  return 0
end

return shells
