std = "lua54"
max_line_length = 120
read_globals = { "gpu", "lab", "check" }
files["lua/gpulab/meta.lua"] = { ignore = { ".*" } }
files["lua/gpulab/types.lua"] = { ignore = { ".*" } }
-- Test cases are global tables, and doubles take the place of what they stand for.
files["tests"] = { allow_defined_top = true, globals = { "gpu", "io" }, unused_args = false, max_line_length = 140, ignore = { "432" } }
files["tests/serve/neovim.lua"] = { read_globals = { "vim" }, ignore = { "122" } }
files["contrib/editors/neovim"] = { read_globals = { "vim" }, ignore = { "122" } }
exclude_files = { "build*/**", ".cuda/**", ".venv/**" }
