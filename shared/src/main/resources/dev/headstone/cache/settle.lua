-- The only thing that writes url:{code}. It brings the key to what the table said, if the caller
-- still holds the lease that it took before it asked the table.
--
--   KEYS[1]  url:{code}
--   KEYS[2]  lease:{code}, in the same slot
--   ARGV[1]  the caller's token
--   ARGV[2]  write | drop-older | drop-up-to | drop-all | release
--   ARGV[3]  the stamp: of the record to write, or the bound for what is to go
--   ARGV[4]  write: the record, a JSON document that is stored byte for byte
--   ARGV[5]  write: the key's life, ms
--
-- Answers {'refused'}, or {'accepted', stamp} with the stamp of what the key holds now, '' if nothing.
-- Stamps have a fixed width and are compared as text: numbers here are doubles.

local LONGEST = 16384
local STAMP = '^' .. string.rep('%d', 13) .. '%.' .. string.rep('%d', 19) .. '%.[01]$'
local LARGEST_VERSION = '9223372036854775807'

-- A number field counts only if it was written as plain digits, once, and a double holds it exactly.
local function whole(raw, doc, name, least)
  local value = doc[name]
  if type(value) ~= 'number' or value < least or value > 9007199254740991 then
    return false
  end
  local _, written =
    string.gsub(raw, '"' .. name .. '"%s*:%s*' .. string.format('%.0f', value) .. '%s*[,}]', '')
  local _, named = string.gsub(raw, '"' .. name .. '"%s*:', '')
  return written == 1 and named == 1
end

local function once(raw, name)
  local _, named = string.gsub(raw, '"' .. name .. '"%s*:', '')
  return named <= 1
end

local function visible(value)
  return type(value) == 'string' and string.find(value, '^[!-~]+$') ~= nil
end

local function absent_or(value, test)
  return value == nil or test
end

local function texts(value)
  if type(value) ~= 'table' then
    return false
  end
  local count = 0
  for index, item in pairs(value) do
    count = count + 1
    if type(index) ~= 'number' or type(item) ~= 'string' then
      return false
    end
  end
  return count <= 64
end

local KNOWN = {
  state = true, stamp = true, long_url = true, host = true, owner = true, tags = true,
  expires_at = true, visit_limit = true, fresh_until = true, stale_until = true, cause = true,
}

-- A field that a later release may have added: any scalar that is a number at all, or texts.
local function harmless(value)
  if type(value) == 'number' then
    return value == value and value ~= math.huge and value ~= -math.huge
  end
  return type(value) ~= 'table' or texts(value)
end

-- The stamp of a readable record, else nil.
local function readable(raw)
  if #raw > LONGEST then
    return nil
  end
  if string.find(raw, '^%s*{') == nil then
    return nil
  end
  local decoded, doc = pcall(cjson.decode, raw)
  if not decoded or type(doc) ~= 'table' then
    return nil
  end
  for name, value in pairs(doc) do
    if type(name) ~= 'string' then
      return nil
    end
    if KNOWN[name] and not once(raw, name) or not KNOWN[name] and not harmless(value) then
      return nil
    end
  end
  local stamp = doc.stamp
  if type(stamp) ~= 'string' or string.find(stamp, STAMP) == nil then
    return nil
  end
  if string.sub(stamp, 15, 33) > LARGEST_VERSION then
    return nil
  end
  if not whole(raw, doc, 'stale_until', 0) then
    return nil
  end
  local fields = absent_or(doc.tags, texts(doc.tags))
    and absent_or(doc.expires_at, whole(raw, doc, 'expires_at', 0))
    and absent_or(doc.visit_limit, whole(raw, doc, 'visit_limit', 1))
    and absent_or(doc.fresh_until, whole(raw, doc, 'fresh_until', 0))
    and absent_or(doc.owner, type(doc.owner) == 'string')
    and absent_or(doc.host, type(doc.host) == 'string')
    and absent_or(doc.cause, type(doc.cause) == 'string')
  if not fields then
    return nil
  end
  if doc.state == 'active' then
    local active = string.sub(stamp, 35) == '0'
      and visible(doc.long_url)
      and string.find(doc.long_url, '^https?://[!-~]') ~= nil
      and doc.fresh_until ~= nil
      and absent_or(doc.host, visible(doc.host))
      and absent_or(doc.owner, visible(doc.owner))
    return active and stamp or nil
  end
  if doc.state == 'deleted' then
    local dead = string.sub(stamp, 35) == '1' and doc.long_url == nil and doc.host == nil
    return dead and stamp or nil
  end
  return nil
end

local token, what, stamp = ARGV[1], ARGV[2], ARGV[3]
local url, lease = KEYS[1], KEYS[2]

if redis.call('TYPE', lease).ok ~= 'string' or redis.call('GET', lease) ~= token then
  return {'refused'}
end
redis.call('DEL', lease)

local kind = redis.call('TYPE', url).ok
local held = nil
if kind == 'string' then
  held = readable(redis.call('GET', url))
end

if what == 'write' then
  if held == nil or held <= stamp then
    redis.call('SET', url, ARGV[4], 'PX', ARGV[5])
    held = stamp
  end
  return {'accepted', held}
end

local drop = held == nil
  or what == 'drop-all'
  or (what == 'drop-older' and held < stamp)
  or (what == 'drop-up-to' and held <= stamp)
if drop then
  if kind ~= 'none' then
    redis.call('DEL', url)
  end
  held = nil
end
return {'accepted', held or ''}
