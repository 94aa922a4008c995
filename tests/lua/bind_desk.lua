-- gpulab.desk: files written whole or not at all, nothing overwritten that is kept, the editor's end, the watch.
local lu = require "luaunit"
local desk = require "gpulab.desk"

local folder

local function content(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

TestFiles = {}

function TestFiles.setUp()
  folder = os.tmpname() -- a file: its name is ours
  os.remove(folder)
  desk.make_folder(folder)
end

function TestFiles.tearDown()
  os.execute("rm -rf '" .. folder .. "'")
end

function TestFiles.test_stat()
  lu.assertEquals(desk.stat(folder), "folder")
  lu.assertNil(desk.stat(folder .. "/nothing"))
  lu.assertEquals(desk.stat "/dev/null", "other")
  desk.write(folder .. "/a", "one")
  local kind, size, stamp = desk.stat(folder .. "/a")
  lu.assertEquals({ kind, size }, { "file", 3 })
  lu.assertEquals(select(3, desk.stat(folder .. "/a")), stamp)
  desk.write(folder .. "/a", "two")
  lu.assertNotEquals(select(3, desk.stat(folder .. "/a")), stamp)
end

function TestFiles.test_folders()
  desk.make_folder(folder .. "/x/y//z/")
  lu.assertEquals(desk.stat(folder .. "/x/y/z"), "folder")
  desk.make_folder(folder .. "/x/y/z") -- it is there: all is well
  desk.write(folder .. "/file", "")
  lu.assertErrorMsgContains("cannot make the folder", desk.make_folder, folder .. "/file/below")
end

function TestFiles.test_writing()
  desk.write(folder .. "/a", "x\0y")
  lu.assertEquals(content(folder .. "/a"), "x\0y")
  lu.assertErrorMsgContains("cannot write", desk.write, folder .. "/nowhere/a", "x")
  lu.assertErrorMsgContains("cannot write", desk.write, folder, "x")
end

function TestFiles.test_keeping_never_overwrites()
  desk.write(folder .. "/a", "new")
  desk.write(folder .. "/b", "old")
  lu.assertFalse(desk.keep(folder .. "/a", folder .. "/b"))
  lu.assertEquals({ content(folder .. "/a"), content(folder .. "/b") }, { "new", "old" })
  lu.assertTrue(desk.keep(folder .. "/a", folder .. "/c"))
  lu.assertEquals(content(folder .. "/c"), "new")
  lu.assertNil(desk.stat(folder .. "/a"))
  lu.assertErrorMsgContains("cannot rename", desk.keep, folder .. "/a", folder .. "/d")
end

function TestFiles.test_removing()
  desk.write(folder .. "/a", "x")
  desk.remove(folder .. "/a")
  desk.remove(folder .. "/a") -- it is gone already: all is well
  lu.assertErrorMsgContains("cannot remove", desk.remove, folder)
end

function TestFiles.test_no_paths()
  for _, f in ipairs { desk.stat, desk.make_folder, desk.remove, desk.write, desk.foreground, desk.watch } do
    for _, path in ipairs { "", "a\0b" } do lu.assertErrorMsgContains("path expected", f, path, "x") end
    for _, path in ipairs { {}, true, print } do lu.assertErrorMsgContains("string expected", f, path, "x") end
  end
  lu.assertErrorMsgContains("path expected", desk.keep, folder, "a\0b")
  lu.assertErrorMsgContains("string expected", desk.write, folder .. "/a", {})
  lu.assertErrorMsgContains("cannot make the folder", desk.make_folder, folder .. "/" .. ("x"):rep(5000))
end

TestForeground = {}

function TestForeground.test_how_it_ended()
  lu.assertEquals({ desk.foreground "exit 3" }, { "exit", 3, "" })
  lu.assertEquals({ desk.foreground "true" }, { "exit", 0, "" })
  lu.assertEquals({ desk.foreground "kill -9 $$" }, { "signal", 9, "Killed" })
  lu.assertEquals({ desk.foreground "sh -c 'kill -15 $$' 2>/dev/null" }, { "signal", 15, "Terminated" })
  lu.assertEquals({ desk.foreground "/nowhere/editor 2>/dev/null" }, { "exit", 127, "" })
end

TestWatch = {}
TestWatch.setUp, TestWatch.tearDown = TestFiles.setUp, TestFiles.tearDown

function TestWatch.test_what_is_saved_is_noticed()
  local watch <close> = desk.watch(folder)
  lu.assertTrue(watch:fd() >= 0)
  lu.assertEquals({ watch:drain() }, { false, false })
  desk.write(folder .. "/a", "beside and renamed")
  lu.assertEquals({ watch:drain() }, { true, false })
  local file = io.open(folder .. "/a", "w")
  file:write "in place"
  file:close()
  lu.assertEquals({ watch:drain() }, { true, false })
  lu.assertEquals({ watch:drain() }, { false, false })
  desk.stat(folder .. "/a")
  lu.assertEquals({ watch:drain() }, { false, false })
end

function TestWatch.test_many_at_once()
  local watch <close> = desk.watch(folder)
  for i = 1, 300 do desk.write(("%s/%s%d"):format(folder, ("n"):rep(200), i), "") end
  lu.assertEquals({ watch:drain() }, { true, false })
  lu.assertEquals({ watch:drain() }, { false, false })
end

function TestWatch.test_a_folder_that_goes()
  local watch <close> = desk.watch(folder)
  os.execute("rm -rf '" .. folder .. "'")
  lu.assertEquals({ watch:drain() }, { true, true })
end

function TestWatch.test_what_cannot_be_watched()
  local watch, reason = desk.watch(folder .. "/nothing")
  lu.assertNil(watch)
  lu.assertStrContains(reason, "No such file")
  desk.write(folder .. "/a", "")
  lu.assertNil((desk.watch(folder .. "/a")))
end

function TestWatch.test_closed()
  local watch = desk.watch(folder)
  watch:close()
  watch:close()
  lu.assertEquals(watch:fd(), -1)
  lu.assertEquals({ watch:drain() }, { false, false })
  lu.assertErrorMsgContains("watch expected", watch.drain, {})
  lu.assertErrorMsgContains("watch expected", watch.fd, io.stdout)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
