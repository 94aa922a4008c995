std = "lua54"
max_line_length = 120
read_globals = { "gpu", "lab", "check" }
files["lua/gpulab/meta.lua"] = { ignore = { ".*" } }
exclude_files = { "build*/**", ".cuda/**", ".venv/**" }
