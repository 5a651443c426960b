const MAX_CHARS = 63

/** A slug for a name: lower case, without accents, words joined by `-`. */
export function suggestSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_CHARS)
    .replaceAll(/^-+|-+$/g, '')
}
