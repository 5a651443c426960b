/** Adds a value to a map and returns it, for maps that are created on first use. */
export function setIn<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value)
  return value
}
