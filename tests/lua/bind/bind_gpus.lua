-- GPUs that a file describes: what is read, what is refused.
local t = require "luaunit"
local gpus = require "gpulab.base.gpus"
local where = require "gpulab.base.where"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

-- A configuration folder of its own with these files in gpus/, as if XDG_CONFIG_HOME named it.
local function with_files(contents, f)
  local config, before = os.tmpname(), where.config_folder
  os.remove(config)
  require("gpulab.fs").make_folder(config .. "/gpus")
  for name, content in pairs(contents) do require("gpulab.fs").write(("%s/gpus/%s"):format(config, name), content) end
  where.config_folder = function() return config end
  local ok, e = pcall(f, config .. "/gpus/")
  where.config_folder = before
  os.execute("rm -r '" .. config .. "'")
  if not ok then error(e, 0) end
end

TestGpus = {}

function TestGpus.test_a_file_makes_a_gpu()
  with_files({ ["mine.lua"] = 'return { base = "RTX 4090", name = "RTX 4090 D", sms = 114 }' }, function(folder)
    local made = gpus.read(folder .. "mine.lua")
    t.assertEquals({ made.name, made.sms, made.base }, { "RTX 4090 D", 114, "RTX 4090" })
    t.assertEquals(gpu.model("rtx 4090 d").sms, 114)
    t.assertStrContains(gpu.open("emu:RTX 4090 D").name, "RTX 4090 D")
  end)
end

function TestGpus.test_the_folder_is_read_and_wrong_files_are_named()
  local files = { ["a.lua"] = 'return { base = "T4", name = "T4 slow", shader_ghz = 0.6 }', ["b.lua"] = "return {",
    ["notes.md"] = "no GPU", ["c.lua"] = 'return { base = "T4 slow", name = "T4 slower", shader_ghz = 0.3 }' }
  with_files(files, function()
    local warnings = gpus.load()
    t.assertEquals(#warnings, 1)
    t.assertStrContains(warnings[1], "b.lua")
    t.assertEquals(gpu.model("T4 slower").shader_ghz, 0.3)
  end)
  with_files({}, function() t.assertEquals(gpus.load(), {}) end)
end

function TestGpus.test_refuses_what_describes_no_gpu()
  local wrong = {
    { "", "it returns no table" }, { "return 5", "it returns no table" }, { "\27Lua", "binary chunk" },
    { "return {", "expected" }, { "os.exit()", "global 'os'" }, { 'return { base = "H200" }', "name: what commands" },
    { 'return { name = "X" }', "base: the name of a GPU" }, { 'return { base = "Voodoo", name = "X" }', "no GPU is called" },
    { 'return { base = "H200", name = "X", dram = 5 }', "unknown field 'dram'" },
    { 'return { base = "H200", name = "X", sms = 1e9 }', "makes no GPU" },
    { 'return { base = "H200", name = "X", sms = "many" }', "number expected" },
    { 'return { base = "H200", name = "H100", sms = 5 }', "is the name of a real GPU" },
    { "return setmetatable({}, { __index = error })", "global 'setmetatable'" },
    { ("-"):rep(70000), "too large" },
  }
  for _, case in ipairs(wrong) do
    with_files({ ["x.lua"] = case[1] }, function(folder)
      local e = refuses(case[2], gpus.read, folder .. "x.lua")
      t.assertStrContains(tostring(e), "x.lua")
      t.assertFalse(tostring(e):find("bad argument", 1, true) ~= nil, tostring(e))
    end)
  end
  refuses("take the name of a known one", gpus.read, "H200")
  refuses("it is not a regular file", gpus.read, "/dev/zero")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
