/** A project's short name in URLs. It has no `_`, so it never looks like an id. */
export const SLUG_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'

const SLUG = new RegExp(SLUG_PATTERN)

export function isSlug(text: string): boolean {
  return SLUG.test(text)
}
