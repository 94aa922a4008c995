-- gpulab.fs: files written whole or not at all, nothing overwritten that is kept, the editor's end, the watch.
local lu = require "luaunit"
local fs = require "gpulab.fs"

local folder

local function content(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

TestFiles = {}

function TestFiles.setUp()
  folder = os.tmpname() -- a file: its name is ours
  os.remove(folder)
  fs.make_folder(folder)
end

function TestFiles.tearDown()
  os.execute("rm -rf '" .. folder .. "'")
end

function TestFiles.test_stat()
  lu.assertEquals(fs.stat(folder), "folder")
  lu.assertNil(fs.stat(folder .. "/nothing"))
  lu.assertEquals(fs.stat "/dev/null", "other")
  fs.write(folder .. "/a", "one")
  local kind, size, stamp = fs.stat(folder .. "/a")
  lu.assertEquals({ kind, size }, { "file", 3 })
  lu.assertEquals(select(3, fs.stat(folder .. "/a")), stamp)
  fs.write(folder .. "/a", "two")
  lu.assertNotEquals(select(3, fs.stat(folder .. "/a")), stamp)
end

function TestFiles.test_folders()
  fs.make_folder(folder .. "/x/y//z/")
  lu.assertEquals(fs.stat(folder .. "/x/y/z"), "folder")
  fs.make_folder(folder .. "/x/y/z") -- it is there: all is well
  fs.write(folder .. "/file", "")
  lu.assertErrorMsgContains("cannot make the folder", fs.make_folder, folder .. "/file/below")
end

function TestFiles.test_writing()
  fs.write(folder .. "/a", "x\0y")
  lu.assertEquals(content(folder .. "/a"), "x\0y")
  lu.assertErrorMsgContains("cannot write", fs.write, folder .. "/nowhere/a", "x")
  lu.assertErrorMsgContains("cannot write", fs.write, folder, "x")
end

function TestFiles.test_keeping_never_overwrites()
  fs.write(folder .. "/a", "new")
  fs.write(folder .. "/b", "old")
  lu.assertFalse(fs.keep(folder .. "/a", folder .. "/b"))
  lu.assertEquals({ content(folder .. "/a"), content(folder .. "/b") }, { "new", "old" })
  lu.assertTrue(fs.keep(folder .. "/a", folder .. "/c"))
  lu.assertEquals(content(folder .. "/c"), "new")
  lu.assertNil(fs.stat(folder .. "/a"))
  lu.assertErrorMsgContains("cannot rename", fs.keep, folder .. "/a", folder .. "/d")
end

function TestFiles.test_removing()
  fs.write(folder .. "/a", "x")
  fs.remove(folder .. "/a")
  fs.remove(folder .. "/a") -- it is gone already: all is well
  lu.assertErrorMsgContains("cannot remove", fs.remove, folder)
end

function TestFiles.test_no_paths()
  for _, f in ipairs { fs.stat, fs.make_folder, fs.remove, fs.write, fs.foreground, fs.watch } do
    for _, path in ipairs { "", "a\0b" } do lu.assertErrorMsgContains("path expected", f, path, "x") end
    for _, path in ipairs { {}, true, print } do lu.assertErrorMsgContains("string expected", f, path, "x") end
  end
  lu.assertErrorMsgContains("path expected", fs.keep, folder, "a\0b")
  lu.assertErrorMsgContains("string expected", fs.write, folder .. "/a", {})
  lu.assertErrorMsgContains("cannot make the folder", fs.make_folder, folder .. "/" .. ("x"):rep(5000))
end

TestForeground = {}

function TestForeground.test_how_it_ended()
  lu.assertEquals({ fs.foreground "exit 3" }, { "exit", 3, "" })
  lu.assertEquals({ fs.foreground "true" }, { "exit", 0, "" })
  lu.assertEquals({ fs.foreground "kill -9 $$" }, { "signal", 9, "Killed" })
  lu.assertEquals({ fs.foreground "sh -c 'kill -15 $$' 2>/dev/null" }, { "signal", 15, "Terminated" })
  lu.assertEquals({ fs.foreground "/nowhere/editor 2>/dev/null" }, { "exit", 127, "" })
end

TestWatch = {}
TestWatch.setUp, TestWatch.tearDown = TestFiles.setUp, TestFiles.tearDown

function TestWatch.test_what_is_saved_is_noticed()
  local watch <close> = fs.watch(folder)
  lu.assertTrue(watch:fd() >= 0)
  lu.assertEquals({ watch:drain() }, { false, false })
  fs.write(folder .. "/a", "beside and renamed")
  lu.assertEquals({ watch:drain() }, { true, false })
  local file = io.open(folder .. "/a", "w")
  file:write "in place"
  file:close()
  lu.assertEquals({ watch:drain() }, { true, false })
  lu.assertEquals({ watch:drain() }, { false, false })
  fs.stat(folder .. "/a")
  lu.assertEquals({ watch:drain() }, { false, false })
end

function TestWatch.test_many_at_once()
  local watch <close> = fs.watch(folder)
  for i = 1, 300 do fs.write(("%s/%s%d"):format(folder, ("n"):rep(200), i), "") end
  lu.assertEquals({ watch:drain() }, { true, false })
  lu.assertEquals({ watch:drain() }, { false, false })
end

function TestWatch.test_a_folder_that_goes()
  local watch <close> = fs.watch(folder)
  os.execute("rm -rf '" .. folder .. "'")
  lu.assertEquals({ watch:drain() }, { true, true })
end

function TestWatch.test_what_cannot_be_watched()
  local watch, reason = fs.watch(folder .. "/nothing")
  lu.assertNil(watch)
  lu.assertStrContains(reason, "No such file")
  fs.write(folder .. "/a", "")
  lu.assertNil((fs.watch(folder .. "/a")))
end

function TestWatch.test_closed()
  local watch = fs.watch(folder)
  watch:close()
  watch:close()
  lu.assertEquals(watch:fd(), -1)
  lu.assertEquals({ watch:drain() }, { false, false })
  lu.assertErrorMsgContains("watch expected", watch.drain, {})
  lu.assertErrorMsgContains("watch expected", watch.fd, io.stdout)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
