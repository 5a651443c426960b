import type { Event } from '@bugle/contract'

/** Who did something, as the beginning of a sentence. */
export function actorName({ kind, name }: Event['actor']): string {
  if (kind === 'system') return 'Bugle'
  if (kind === 'user') return name ?? 'A former user'
  return name === null ? 'A key' : `Key “${name}”`
}
