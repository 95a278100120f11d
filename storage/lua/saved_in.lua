-- Finds the match that remembers an operation. KEYS: the hashes of matches. ARGV: the operation.
-- Returns the place of the first one among KEYS, or 0.
for place, key in ipairs(KEYS) do
  local operations = redis.pcall('HGET', key, 'o')
  if type(operations) == 'string' and string.find(operations, '\n' .. ARGV[1] .. '\n', 1, true) then
    return place
  end
end
return 0
