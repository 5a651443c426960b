import type { Event } from '@bugle/contract'

/** The name of an actor, for the start of a sentence. */
export function actorName({ kind, name }: Event['actor']): string {
  if (kind === 'system') return 'Bugle'
  if (kind === 'user') return name ?? 'A former user'
  if (kind === 'reporter') return 'A reporter'
  return name === null ? 'An API key' : `Key “${name}”`
}
