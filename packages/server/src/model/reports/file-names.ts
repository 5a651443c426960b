import { MAX_ATTACHMENT_NAME_CHARS } from '@bugle/contract/vocabulary'

/** The types that a browser may show, with the extensions that fit them; the first is given to other names. None of them can run a script. */
const INLINE_EXTENSIONS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/webm': ['webm'],
}

export function isInline(contentType: string | null): contentType is string {
  return contentType !== null && Object.hasOwn(INLINE_EXTENSIONS, contentType)
}

/** Control characters, and those that change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu

/** Windows opens a device instead of a file with such a name, whatever extension follows ("Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/iu

/** The name of a file that has no other. */
export const UNNAMED_FILE = 'file'

/** A name that can be shown and saved: without folders, and without characters that hide what it is. */
export function safeFileName({ name }: { readonly name: string }): string {
  const visible = name.replaceAll(UNSAFE, '').normalize()
  const last = visible.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? ''
  const plain = last
    .replaceAll(/[:*?"<>|]/g, '_')
    .trim()
    .replace(/^\.+/, '')
    // Windows drops dots and spaces at the end, so that two names would be one.
    .replace(/[. ]+$/, '')
  if (plain === '') return UNNAMED_FILE
  return DEVICE.test(plain) ? `_${plain}` : plain
}

const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i

/**
 * The name of a file with these bytes. What a browser shows and then saves has the extension of its type, so that an image named
 * `report.html` does not become a page on a disk.
 */
export function nameForType(name: string, contentType: string | null): string {
  const [extension, ...others] = (contentType !== null && INLINE_EXTENSIONS[contentType]) || []
  if (extension === undefined) return name
  const own = EXTENSION.exec(name)?.[0] ?? ''
  if ([extension, ...others].includes(own.slice(1).toLowerCase())) return name
  const stem = [...name.slice(0, name.length - own.length)]
  return `${stem.slice(0, MAX_ATTACHMENT_NAME_CHARS - extension.length - 1).join('')}.${extension}`
}
