-- Shared by the scripts that write a match, with everything that points to it, or read it whole.
--
-- A match is one hash: v its version, s its record, o the operations that were saved (each between two newlines, oldest
-- first), p its people and n all whom the record names (msgpack), and for each of its places a field "@<place>" with
-- what was shown there: "<version> <pinged> <message>".
--
-- Keys beside KEYS are made here, since only the server knows which indexes a match is in. All carry the same tag, so
-- they lie in the slot of KEYS.

-- Takes the match out of an index; *name* is "person:<id>" or "place:<place>".
local function leave(change, name)
  redis.call('ZREM', change.prefix .. 'live:' .. name, change.id)
  redis.call('ZREM', change.prefix .. 'ended:' .. name, change.id)
end

-- Puts the match into one index and takes it out of the opposite one; the highest order stands in front.
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

-- The place of a field of the hash; nil for the other fields.
local function place_of(field)
  return string.match(field, '^@(.*)$')
end

-- The key of the outbox that holds a place, and the member that names place and match in it.
local function outbox(prefix, id, place)
  local platform, rest = string.match(place, '^([^:]*):(.*)$')
  return prefix .. 'outbox:' .. platform, id .. ':' .. rest
end

-- The people in a field of the hash.
local function people_in(key, field)
  local people = redis.call('HGET', key, field)
  return people and cmsgpack.unpack(people) or {}
end

-- Where the match stands in the order of changes, as a string; nil if so many ended since that no index has it.
local function order_of(prefix, id, key)
  local names = {}
  for _, person in ipairs(people_in(key, 'p')) do
    table.insert(names, 'person:' .. person)
  end
  for _, field in ipairs(redis.call('HKEYS', key)) do
    local place = place_of(field)
    if place then
      table.insert(names, 'place:' .. place)
    end
  end
  for _, kind in ipairs({ 'live:', 'ended:' }) do
    for _, name in ipairs(names) do
      local order = redis.call('ZSCORE', prefix .. kind .. name, id)
      if order then
        return order
      end
    end
  end
end

-- Keeps for each person in which matches he is named.
local function name_people(key, change)
  local named = {}
  for _, person in ipairs(change.named) do
    named[person] = true
  end
  for _, person in ipairs(people_in(key, 'n')) do
    if not named[person] then
      redis.call('SREM', change.prefix .. 'named:' .. person, change.id)
    end
    named[person] = nil
  end
  for person in pairs(named) do
    redis.call('SADD', change.prefix .. 'named:' .. person, change.id)
  end
end

-- Writes the match and its indexes, all but the outbox. *order* nil: it is the one that changed last.
local function write(key, change, record, version, operations, order)
  local new = {}
  for _, person in ipairs(change.people) do
    new['person:' .. person] = true
  end
  for _, place in ipairs(change.places) do
    new['place:' .. place] = true
  end

  for _, person in ipairs(people_in(key, 'p')) do
    if not new['person:' .. person] then
      leave(change, 'person:' .. person)
    end
  end
  for _, field in ipairs(redis.call('HKEYS', key)) do
    local place = place_of(field)
    if place and not new['place:' .. place] then
      local box, member = outbox(change.prefix, change.id, place)
      leave(change, 'place:' .. place)
      redis.call('ZREM', box, member)
      redis.call('HDEL', key, field)
    end
  end
  name_people(key, change)

  order = order or redis.call('INCR', change.prefix .. 'sequence')
  for name in pairs(new) do
    enter(change, name, order)
  end
  if change.deadline then
    redis.call('ZADD', change.prefix .. 'due', change.deadline, change.id)
  else
    redis.call('ZREM', change.prefix .. 'due', change.id)
  end

  redis.call(
    'HSET', key, 'v', version, 's', record, 'o', operations,
    'p', cmsgpack.pack(change.people), 'n', cmsgpack.pack(change.named)
  )
  for _, place in ipairs(change.places) do
    redis.call('HSETNX', key, '@' .. place, '0 0 ')
  end
end

-- The places that had been shown the version *before* have been shown *version*, which tells nothing new.
local function keep_shown(key, change, before, version)
  for _, place in ipairs(change.places) do
    local shown, pinged, message = string.match(redis.call('HGET', key, '@' .. place), '^(%d+) (%d+) (.*)$')
    if shown == before then
      redis.call('HSET', key, '@' .. place, version .. ' ' .. pinged .. ' ' .. message)
    end
  end
end

-- Puts all places of the match into the outbox.
local function announce(change)
  for _, place in ipairs(change.places) do
    local box, member = outbox(change.prefix, change.id, place)
    -- LT: a place that was postponed is due now, one that has waited for long keeps its turn.
    redis.call('ZADD', box, 'LT', change.due, member)
  end
end
