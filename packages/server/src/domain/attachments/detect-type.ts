/** The types that a browser may show. None of them can run a script. */
const INLINE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'video/mp4', 'video/webm']

/** The media type of a file, from its first bytes; `null` if they are not known. */
export async function detectType(head: Uint8Array): Promise<string | null> {
  // Loaded with the first upload: many servers never receive a file.
  const { fileTypeFromBuffer } = await import('file-type')
  // A type that cannot be recognised must not make the upload fail.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? null
}

export function isInline(contentType: string | null): boolean {
  return contentType !== null && INLINE_TYPES.includes(contentType)
}
