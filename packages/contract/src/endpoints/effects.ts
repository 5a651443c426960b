/** Effects that must not be possible from someone else's unlocked computer. */
export const EFFECT_KINDS = ['widens-readers', 'grants-or-protects', 'destroys-many', 'exports'] as const
export type EffectKind = (typeof EFFECT_KINDS)[number]

/** An effect of an endpoint. A person needs a recent sign-in for it; keys and tokens have no sign-in. */
export interface Effect {
  readonly kind: EffectKind
  /**
   * The fields of the body that cause it, with the values that do. Absent if every call causes it. What the fields had
   * before does not matter, so that the rule needs no data that may change between the check and the change.
   */
  readonly when?: Readonly<Record<string, 'given' | readonly unknown[]>>
}

/** Whether a call with this body has the effect. */
export function isCausedBy({ when }: Effect, body: unknown): boolean {
  if (when === undefined) return true
  const given = new Map(Object.entries((body ?? {}) as object))
  return Object.entries(when).some(
    ([field, values]) => given.has(field) && (values === 'given' || values.includes(given.get(field))),
  )
}
