/** The media type of a file, from its first bytes; `null` if they are not known. */
export async function detectType(head: Uint8Array): Promise<string | null> {
  // Loaded with the first upload: many servers never receive a file.
  const { fileTypeFromBuffer } = await import('file-type')
  // A type that cannot be recognised must not make the upload fail.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? null
}
