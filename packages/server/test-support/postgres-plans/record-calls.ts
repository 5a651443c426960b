import type { Storage } from '../../src/storage/storage.ts'

/** A storage that remembers which of its methods were called, as `issues.submit` or `probe`. */
export function recordCalls(storage: Storage): {
  readonly storage: Storage
  readonly called: ReadonlySet<string>
} {
  const called = new Set<string>()
  const wrap = <T extends object>(parts: T, prefix: string): T =>
    new Proxy(parts, {
      get(target, name, receiver) {
        const part: unknown = Reflect.get(target, name, receiver)
        const path = `${prefix}${String(name)}`
        if (typeof part === 'function') called.add(path)
        return typeof part === 'object' && part !== null ? wrap(part, `${path}.`) : part
      },
    })
  return { storage: wrap(storage, ''), called }
}

/** Every operation of a storage, by its name. */
export function methodsOf(parts: object, prefix = ''): readonly string[] {
  return Object.entries(parts).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part === 'function') return [prefix + name]
    return typeof part === 'object' && part !== null ? methodsOf(part, `${prefix}${name}.`) : []
  })
}
