-- Shared by create.lua and save.lua: writes a match and everything that points to it.
--
-- A match is one hash: v its version, s its record, o the operations that were saved (each between two newlines, oldest
-- first), p its people (msgpack), and for each of its places a field "@<place>" with what was shown there:
-- "<version> <pinged> <message>".
--
-- Keys beside KEYS are made here, since only the server knows which indexes a match is in. All carry the same tag, so
-- they lie in the slot of KEYS.

-- Takes the match out of an index; *name* is "person:<id>" or "place:<place>".
local function leave(change, name)
  redis.call('ZREM', change.prefix .. 'live:' .. name, change.id)
  redis.call('ZREM', change.prefix .. 'ended:' .. name, change.id)
end

-- Puts the match in front of one index and takes it out of the opposite one.
local function enter(change, name, order)
  if change.live then
    redis.call('ZREM', change.prefix .. 'ended:' .. name, change.id)
    redis.call('ZADD', change.prefix .. 'live:' .. name, order, change.id)
  else
    local ended = change.prefix .. 'ended:' .. name
    redis.call('ZREM', change.prefix .. 'live:' .. name, change.id)
    redis.call('ZADD', ended, order, change.id)
    redis.call('ZREMRANGEBYRANK', ended, 0, -change.ended_kept - 1)
  end
end

-- The key of the outbox that holds a place, and the member that names place and match in it.
local function outbox(change, place)
  local platform, rest = string.match(place, '^([^:]*):(.*)$')
  return change.prefix .. 'outbox:' .. platform, change.id .. ':' .. rest
end

local function write(key, change, record, version, operations)
  local new = {}
  for _, person in ipairs(change.people) do
    new['person:' .. person] = true
  end
  for _, place in ipairs(change.places) do
    new['place:' .. place] = true
  end

  local people = redis.call('HGET', key, 'p')
  for _, person in ipairs(people and cmsgpack.unpack(people) or {}) do
    if not new['person:' .. person] then
      leave(change, 'person:' .. person)
    end
  end
  for _, field in ipairs(redis.call('HKEYS', key)) do
    local place = string.match(field, '^@(.*)$')
    if place and not new['place:' .. place] then
      local box, member = outbox(change, place)
      leave(change, 'place:' .. place)
      redis.call('ZREM', box, member)
      redis.call('HDEL', key, field)
    end
  end

  local order = redis.call('INCR', change.prefix .. 'sequence')
  for name in pairs(new) do
    enter(change, name, order)
  end
  if change.deadline then
    redis.call('ZADD', change.prefix .. 'due', change.deadline, change.id)
  else
    redis.call('ZREM', change.prefix .. 'due', change.id)
  end

  redis.call('HSET', key, 'v', version, 's', record, 'o', operations, 'p', cmsgpack.pack(change.people))
  for _, place in ipairs(change.places) do
    local box, member = outbox(change, place)
    redis.call('HSETNX', key, '@' .. place, '0 0 ')
    -- LT: a place that was postponed is due now, one that has waited for long keeps its turn.
    redis.call('ZADD', box, 'LT', change.due, member)
  end
end
