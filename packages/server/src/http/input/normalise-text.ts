/** The path to a string in a parsed body or query. */
export type TextPlace = readonly string[]

/** No valid body is deeper; a deeper one is refused by its schema. */
const MAX_DEPTH = 8

/**
 * Makes the text of a freshly parsed body or query storable, in place: unpaired surrogates become U+FFFD. Neither database
 * stores NUL, which the caller must refuse: returns the values that contain it, up to `limit` places. Field names are left to the schemas.
 */
export function normaliseText(root: unknown, limit: number): readonly TextPlace[] {
  const nulPlaces: TextPlace[] = []

  function visit(value: unknown, place: TextPlace): void {
    if (typeof value !== 'object' || value === null || place.length > MAX_DEPTH) return
    const members = value as Record<string, unknown>
    let areNamesWellFormed = true
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member === 'string') {
        if (!member.isWellFormed()) members[name] = member.toWellFormed()
        if (member.includes('\0') && nulPlaces.length < limit) nulPlaces.push([...place, name])
      } else if (typeof member === 'object') visit(member, [...place, name])
      if (!name.isWellFormed()) areNamesWellFormed = false
    }
    if (!areNamesWellFormed) rename(members)
  }

  visit(root, [])
  return nulPlaces
}

/** If names become equal, the last one wins. */
function rename(members: Record<string, unknown>): void {
  const entries = Object.entries(members)
  for (const [name] of entries) delete members[name]
  for (const [name, member] of entries) members[name.toWellFormed()] = member
}
