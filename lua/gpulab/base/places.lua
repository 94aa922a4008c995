-- Places that have a GPU where this machine has none: how a worker is started there. A name is ssh:HOST,
-- slurm[:PARTITION], pbs[:QUEUE] or job:NAME, each with /DEVICE at its end where that is not cuda:0. What
-- administrators and students change is in site files (docs/guide/administrators.md): /etc/gpulab/site.lua, then
-- ~/.config/gpulab/site.lua, each returns a table. The second file's values win.
--
--     return {
--       remote = "slurm:gpu",                                       -- what `run --remote` means
--       slurm = { options = { "--account=pv197" }, gpu = "H100" },  -- changes the built-in place
--       places = { lab = { start = { "ssh", "--", "gpu4", "gpulab --worker gateway" } } },  -- job:lab
--     }
--
-- A place: start, queue, cancel (lists of words); device, gpu, gpulab (texts); options (a list); warm, wait (seconds).
-- In words, {job} is the job's name, {gpulab} the program there, {host}, {partition} and {queue} what follows the
-- colon. A word that names something unset is left out, and "{options}" becomes the words of `options`. {worker} is the
-- command for a shell there that starts a worker; without `gpulab` it takes this program where there is none.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local sending = require "gpulab.base.sending"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local places = {}

local WARM <const>, HOUR <const> = 20, 3600

-- What a colon is followed by, under this name in templates.
local of_scheme <const> = { ssh = "host", slurm = "partition", pbs = "queue", job = "name" }

-- A job holds the GPU and writes down its node; ssh connects to that. The end of the script or of the worker ends the
-- job. The end of the job ends the worker, which ssh started outside the job. A job that nothing connects to ends after
-- a minute.
local PBS <const> = [=[
job=$1 worker=$2; shift 2
folder=${XDG_CACHE_HOME:-$HOME/.cache}/gpulab/jobs
mkdir -p "$folder" && chmod 700 "$folder" || exit 1
node=$folder/$job id=
rm -f "$node" "$node".*
script='printf "%s %s %s\n" "$(hostname)" $$ "$CUDA_VISIBLE_DEVICES" >"$GPULAB_NODE.new"
mv "$GPULAB_NODE.new" "$GPULAB_NODE"; sleep 60; [ -f "$GPULAB_NODE.on" ] && sleep 86400'
give_back() { setsid -f qdel "$id" || qdel "$id"; }
trap 'trap "" HUP INT TERM; [ "$id" ] && give_back >/dev/null 2>&1; rm -f "$node" "$node".*' EXIT
trap 'trap "" HUP INT TERM; exit 1' HUP INT TERM
id=$(qsub -r n -N "$job" -v "GPULAB_NODE=$node" -j oe -o /dev/null "$@" -- /bin/sh -c "$script") || exit 1
ended() { echo "the job $id ended before it started a worker" >&2; exit 1; }
silent=0
until [ -f "$node" ]; do
  sleep 1
  if said=$(qstat "$id" 2>&1); then
    silent=0
    case $said in *" C "*|*" F "*) ended ;; esac
  else
    case $said in *nknown\ [Jj]ob*|*finished*) [ -f "$node" ] || ended ;; esac
    silent=$((silent + 1))
    [ $silent -lt 60 ] || { echo "qstat does not answer: $said" >&2; exit 1; }
  fi
done
read -r host pid gpus <"$node"
there=': >"$1"; kill -0 "$2" || { echo "the job $3 has ended, or is not on this node" >&2; exit 1; };
(trap "" TERM; while kill -0 "$2" && kill -0 $$; do sleep 1; done; kill $$ "$2") </dev/null >/dev/null 2>&1 &
[ -z "$4" ] || export CUDA_VISIBLE_DEVICES="$4"; '$worker
quoted() { for word; do printf "%s " "$word" | tr "\n" " " | sed "s/'/'\\\\''/g; s/^/'/; s/ \$/' /"; done; }
ssh -T -oBatchMode=yes -oServerAliveInterval=5 -oServerAliveCountMax=2 -- "$host" \
  "exec sh -c $(quoted "$there" gpulab "$node.on" "$pid" "$id" "$gpus")"
]=]

-- Names of waiting jobs; the order is that of the server.
local PBS_QUEUE <const> = [=[
qstat -f "$@" | awk '/^ *Job_Name = /{n = $3} /^ *job_state = Q/{print n}']=]
local PBS_CANCEL <const> = [=[
ids=$(qselect -N "$0") && [ "$ids" ] && qdel $ids]=]

local built_in <const> = {
  ssh = { wait = 60,
    start = { "ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout=10", "-oServerAliveInterval=5",
      "-oServerAliveCountMax=2", "{options}", "--", "{host}", "{worker}" } },
  slurm = { wait = HOUR,
    start = { "srun", "--quiet", "--unbuffered", "--ntasks=1", "--job-name={job}", "--gres=gpu:1", "--time=5",
      "--partition={partition}", "{options}", "{gpulab}", "--worker", "gateway" },
    queue = { "squeue", "--noheader", "--states=PENDING", "--sort=-p,i", "--format=%j", "--partition={partition}" },
    cancel = { "scancel", "--quiet", "--name={job}" } },
  pbs = { wait = HOUR, options = { "-lselect=1:ncpus=2:ngpus=1:mem=4gb", "-lwalltime=0:05:00" },
    start = { "sh", "-c", PBS, "gpulab", "{job}", "{worker}", "-q{queue}", "{options}" },
    queue = { "sh", "-c", PBS_QUEUE, "gpulab", "{queue}" },
    cancel = { "sh", "-c", PBS_CANCEL, "{job}" } },
}

local kinds <const> = { start = "words", queue = "words", cancel = "words", options = "words", device = "string",
  gpu = "string", gpulab = "string", warm = "number", wait = "number" }

---Whether a device's name is that of a place.
---@param name string @return boolean
function places.is(name)
  local scheme = name:match("^(%a+)")
  return of_scheme[scheme or ""] ~= nil and (name == scheme or name:match("^%a+[:/]") ~= nil)
end

-- Site files --------------------------------------------------------------------------------------------

local function wrong(path, message, ...)
  failure.raise("usage", message:format(...), path, "docs/guide/administrators.md describes site files")
end

local function check_words(path, field, value)
  local n = 0
  for key, word in pairs(value) do
    n = n + 1
    if math.type(key) ~= "integer" or type(word) ~= "string" or word:find("%z") then
      wrong(path, "%s: a list of texts expected", field)
    end
  end
  if n ~= #value then wrong(path, "%s: a list without gaps expected", field) end
  if n == 0 and not field:find("options$") then wrong(path, "%s: at least one word expected", field) end
end

local function check_place(path, field, place)
  if type(place) ~= "table" then wrong(path, "%s: a table expected", field) end
  for key, value in pairs(place) do
    local kind = kinds[key]
    local at = ("%s.%s"):format(field, text.printable(tostring(key)))
    if not kind then wrong(path, "%s: places have no such field", at) end
    if kind == "words" and type(value) ~= "table" or kind ~= "words" and type(value) ~= kind then
      wrong(path, "%s: a %s expected, got a %s", at, kind == "words" and "list of texts" or kind, type(value))
    end
    if kind == "words" then check_words(path, at, value) end
    if kind == "number" and not (value >= 1 and value <= 1e6) then
      wrong(path, "%s: 1 to 1000000 seconds expected", at)
    end
  end
end

local function check_site(path, site)
  if type(site) ~= "table" then wrong(path, "a site file returns a table, this one a %s", type(site)) end
  for key, value in pairs(site) do
    if key == "remote" then
      if type(value) ~= "string" then wrong(path, "remote: the name of a device expected") end
    elseif key == "places" then
      if type(value) ~= "table" then wrong(path, "places: a table expected") end
      for name, place in pairs(value) do
        check_place(path, "places." .. text.printable(tostring(name)), place)
        if not place.start then wrong(path, "places.%s: start is missing", text.printable(tostring(name))) end
      end
    elseif of_scheme[key] and key ~= "job" then
      check_place(path, key, value)
    else
      wrong(path, "%s: a site file has remote, ssh, slurm, pbs and places", text.printable(tostring(key)))
    end
  end
  return site
end

-- A site file is data: it sees functions on texts and tables, and the environment.
local function read_site(path)
  if not host.kind(path) then return nil end
  local source, reason = files.read(path)
  if not source then failure.raise("setup", "cannot read " .. reason) end
  local env = { os = { getenv = os.getenv }, string = string, table = table, ipairs = ipairs, pairs = pairs,
    tostring = tostring, tonumber = tonumber, error = error }
  local chunk, problem = load(source, "@" .. path, "t", env)
  if not chunk then wrong(path, "%s", problem) end
  local ok, site = pcall(chunk)
  if not ok then wrong(path, "%s", tostring(site)) end
  return check_site(path, site)
end

local function site_paths()
  local folder = where.config_folder()
  return { os.getenv("GPULAB_SITE") or "/etc/gpulab/site.lua", folder and folder .. "/site.lua" }
end

local function overlay(base, changes)
  local out = {}
  for key, value in pairs(base or {}) do out[key] = value end
  for key, value in pairs(changes or {}) do out[key] = value end
  return out
end

-- The built-in places with the changes of both files.
local function sites()
  local all = { places = {} }
  for scheme, place in pairs(built_in) do all[scheme] = place end
  for _, path in ipairs(site_paths()) do
    local site = read_site(path) or {}
    all.remote = site.remote or all.remote
    for scheme in pairs(of_scheme) do
      if site[scheme] then all[scheme] = overlay(all[scheme], site[scheme]) end
    end
    for name, place in pairs(site.places or {}) do all.places[name] = place end
  end
  return all
end

---The device that `run --remote` means, or nil if no site file says.
---@return string?
function places.remote()
  return sites().remote
end

---Names of the places that site files describe, as --device takes them.
---@return string[]
function places.names()
  return lists.map(lists.keys(sites().places), function(name) return "job:" .. name end)
end

-- Opening -----------------------------------------------------------------------------------------------

local function fill_word(word, values)
  local unset = false
  local filled = word:gsub("{(%a+)}", function(name)
    if values[name] == nil then unset = true end
    return values[name]
  end)
  return not unset and filled or nil
end

local function fill(words, values, options)
  if not words then return nil end
  local out = {}
  for _, word in ipairs(words) do
    if word == "{options}" then
      lists.append(out, options or {})
    else
      out[#out + 1] = fill_word(word, values)
    end
  end
  return out
end

local function parse(name)
  local rest, device = name:match("^(.-)/(.*)$")
  local scheme, of = (rest or name):match("^(%a+):?(.*)$")
  if of == "" then of = nil end
  -- It becomes a word of a command: nothing that reads as an option or a shell's syntax.
  if of and (of:match("^%-") or not of:match("^[%w._@:%-]+$")) then
    failure.usage(("%q is not a name of a host, a partition or a job"):format(text.printable(of)))
  end
  if device == "" then device = nil end
  return scheme, of, device
end

local opened = 0

-- The command for a shell there that starts the program: variables in the path are those of that shell.
local function starting(program)
  return ('exec "%s" --worker gateway'):format((program:gsub("^~/", "$HOME/"):gsub('["\\`]', "\\%0")))
end

---How a worker is started at a place: {name, device, start, queue, cancel, pack, job, warm, wait, gpu}. Raises errors.
---@param name string @return table
function places.resolve(name)
  local scheme, of, device = parse(name)
  local all = sites()
  local place = all[scheme]
  if scheme == "job" then
    place = all.places[of or ""]
    if not place then
      failure.raise("setup", ("no site file describes the place %q"):format(of or ""), "",
        "site files are " .. table.concat(site_paths(), " and ") .. "; they describe "
        .. (#places.names() > 0 and text.list(places.names()) or "no places"))
    end
  end
  if scheme == "ssh" and not of then
    failure.usage("ssh: a host is missing", "for example --device ssh:gpu4")
  end
  if not place or not place.start then
    failure.raise("setup", ("no site file describes %s"):format(scheme), "",
      "docs/guide/administrators.md has an example of a site file")
  end
  opened = opened + 1
  local program = place.gpulab or (scheme == "pbs" and host.program()) -- otherwise it may have to be sent
  local values = { [of_scheme[scheme]] = of, job = ("gpulab-%s-%d"):format(host.process(), opened),
    gpulab = program or (scheme == "ssh" and "gpulab" or host.program()) }
  values.worker = program and starting(program) or sending.there()
  return { name = name, device = device or place.device or "cuda:0", start = fill(place.start, values, place.options),
    queue = fill(place.queue, values), cancel = fill(place.cancel, values), job = values.job,
    warm = place.warm or WARM, wait = place.wait or HOUR, gpu = place.gpu,
    pack = not program and lists.any(place.start, function(word) return word:find("{worker}", 1, true) end)
      and sending.pack() or nil }
end

return places
