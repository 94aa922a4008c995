-- The commands about a student's copy of a kernel: edit, diff, reset.
local copies = require "gpulab.prompt.copies"
local difference = require "gpulab.show.difference"
local editor = require "gpulab.prompt.editor"
local failure = require "gpulab.base.failure"
local loops = require "gpulab.prompt.command.record.views".diff
local pager = require "gpulab.base.pager"
local show = require "gpulab.base.show"
local source = require "gpulab.prompt.source"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

-- The step or exercise named, else the step the session is at; and the entry of its kernel file.
local function target_of(session, words, name)
  if #words > 1 then
    failure.usage(name .. " takes one step or exercise", ("for example: %s %s"):format(name, words[1]))
  end
  local target, at = session:target(words)
  session[name == "edit" and "visit" or "look"](session, target, at)
  local file = session.book:file_of(target)
  local entry = file and session.book.copies.entries[file]
  if not entry then failure.usage(("%s has no kernel of its own"):format(target.id)) end
  return target, entry
end

local function copy_of(session, words, name)
  local target, entry = target_of(session, words, name)
  if session.book.copies:find(entry.file) then return entry end
  failure.usage(("there is no copy of %s"):format(show.printable(entry.file)),
    ("`edit %s` makes one"):format(target.id))
end

-- edit --------------------------------------------------------------------------------------------

-- The task, or where a new copy is. Nothing runs yet.
local function announce(session, entry)
  if not entry.exercise then
    return text.say_wrapped(("%s is your copy of %s. The lab's steps now compile it."):format(copies.shown(entry.path),
      show.printable(entry.file)))
  end
  text.say(session.study:paragraph(entry.exercise))
  text.say { "" }
  text.say_wrapped(("%s is your copy. Saving it checks the exercise."):format(copies.shown(entry.path)))
end

local function after_editor(session, entry, target, before, trouble)
  local book, shown = session.book, copies.shown(entry.path)
  if trouble then text.say_wrapped(trouble) end
  local ok, content = pcall(book.copies.text, book.copies, entry)
  if not copies.stamp(entry) then
    return text.say_wrapped(("%s no longer exists. Steps use the original."):format(shown))
  end
  if not ok then return show.error(content, session.options.color_stderr) end
  if content ~= before then return book:act_on(entry, ("%s was saved"):format(shown)) end
  if trouble then return end
  text.say_wrapped(("%s is unchanged. If your editor is still open, each save runs %s."):format(shown,
    ("`%s %s`"):format(entry.exercise and "check" or "run", target.id)))
end

local function edit(session, words)
  local target, entry = target_of(session, words, "edit")
  if words[1] and words[1]:match "^%d+$" then
    text.say_wrapped(("%s is the step %s. Exercises have names: see `exercises`."):format(words[1], target.id))
  end
  if session.book:open_copy(target, entry) then announce(session, entry) end
  local before = session.book.copies:text(entry)
  if session.options.piped then -- the editor would read the commands that follow
    return text.say_wrapped(("Edit %s: the next `run` compiles it."):format(copies.shown(entry.path)))
  end
  io.stdout:flush()
  local trouble = editor.open(entry.path, source.line_of(target, session.params, before))
  after_editor(session, entry, target, before, trouble)
end

-- diff, reset -------------------------------------------------------------------------------------

local styles <const> = { ["-"] = "bad", ["+"] = "good", ["@"] = "faint" }

local function diff(session, words)
  if #words == 2 then return loops.run(session.prompt, words) end
  local entry = copy_of(session, words, "diff")
  local original, path = session.book.copies:original(entry)
  local color = session.options.color
  local entries = difference.unified(difference.split(original), difference.split(session.book.copies:text(entry)))
  if #entries == 0 then return text.say { "  " .. copies.shown(entry.path) .. " equals the original." } end
  local lines = { tables.paint("--- " .. copies.shown(path), "strong", color),
    tables.paint("+++ " .. copies.shown(entry.path), "strong", color) }
  for _, e in ipairs(entries) do
    local line = e.op == "@" and e.text or e.op .. show.printable(e.text)
    lines[#lines + 1] = tables.paint(line, styles[e.op], color)
  end
  pager.show(lines)
end

local function reset(session, words)
  local entry = copy_of(session, words, "reset")
  local backup = session.book:reset(entry)
  text.say_wrapped(("%s the original %s again. %s."):format(entry.exercise and "The exercise uses" or "Steps use",
    show.printable(entry.file),
    backup and "Your version is saved as " .. copies.shown(backup) or "Your copy did not differ"))
end

-- The steps and exercises that have a kernel file, or a copy of it.
local function targets(session, only_copied)
  local ids = {}
  local function offer(id, file)
    local entry = file and session.book.copies.entries[file]
    if entry and (not only_copied or copies.stamp(entry)) then ids[#ids + 1] = id end
  end
  for _, step in ipairs(session.lab.steps) do offer(step.id, session.book:file_of(step)) end
  for _, ex in ipairs(session.lab.exercises or {}) do offer(ex.id, ex.starter) end
  return ids
end

local function copied(session) return targets(session, true) end

return {
  { name = "edit", usage = "edit [STEP|EX]", topic = "kernels",
    summary = "change a kernel in your editor; saving runs it",
    help = "Copies the step's kernel file, or the exercise's starter, to your folder (GPULAB_HOME, by default"
      .. " ~/gpulab-work) and opens it in VISUAL or EDITOR, at the kernel in vi, nano, emacs and VS Code. The lab then"
      .. " compiles your copy. Saving it from any editor runs the step again or checks the exercise.",
    complete = function(session) return targets(session, false) end, run = edit },
  { name = "diff", usage = "diff [STEP|EX] [STEP]", topic = "kernels",
    summary = "show how your copy differs from the original",
    help = "Shows a unified diff: lines with - are the original's, lines with + are yours. With two steps it compares"
      .. " the compiled inner loops of their kernels: the instructions by category, and those that differ.",
    complete = copied, run = diff },
  { name = "reset", usage = "reset [STEP|EX]", topic = "kernels",
    summary = "restore the original kernel; your version is saved",
    help = "Renames your copy of the kernel file to FILE.~1~, or the next free number. The lab then compiles the"
      .. " original again.",
    complete = copied, run = reset },
}
