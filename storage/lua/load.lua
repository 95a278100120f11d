-- Reads matches. KEYS: their hashes. Returns for each {v, s, o}, or the error if the key holds something else.
local matches = {}
for _, key in ipairs(KEYS) do
  table.insert(matches, redis.pcall('HMGET', key, 'v', 's', 'o'))
end
return matches
