import { deflateRawSync } from 'node:zlib'
import { PNG } from './attachment-stage.ts'

/** A zip with one entry that unpacks to 20 MiB of zeros. */
function zipBomb(): Buffer {
  const packed = deflateRawSync(Buffer.alloc(20 * 2 ** 20))
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(20 * 2 ** 20, 22)
  header.writeUInt16LE(19, 26)
  return Buffer.concat([header, Buffer.from('[Content_Types].xml'), packed])
}

/** What a browser must never run. */
const SCRIPT = '<script>localStorage.setItem("pwned", "1")</script>'

/** Everything that is not one of the six types of images and videos is a download, whatever it claims to be. */
export const HOSTILE_DOWNLOADS: readonly (readonly [
  what: string,
  bytes: Buffer,
  name: string,
  declared: string,
])[] = [
  ['HTML', Buffer.from(`<!doctype html>${SCRIPT}`), 'page.html', 'text/html'],
  ['HTML that is declared as an image', Buffer.from(`<html>${SCRIPT}`), 'photo.png', 'image/png'],
  ['SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`), 'a.svg', 'image/svg+xml'],
  [
    'SVG with an XML declaration',
    Buffer.from(`<?xml version="1.0"?><svg>${SCRIPT}</svg>`),
    'a.png',
    'image/png',
  ],
  [
    'PDF with a script',
    Buffer.from('%PDF-1.7\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>endobj'),
    'a.pdf',
    'application/pdf',
  ],
  ['JavaScript', Buffer.from('alert(1)'), 'a.js', 'text/javascript'],
  ['a zip bomb', zipBomb(), 'a.zip', 'application/zip'],
  ['a program', Buffer.from('MZ\u0090\u0000'), 'setup.exe', 'image/png'],
  ['nothing', Buffer.alloc(0), 'empty.png', 'image/png'],
  ['UTF-16 HTML', Buffer.from(`\ufeff<html>${SCRIPT}`, 'utf16le'), 'a.gif', 'image/gif'],
  [
    'MHTML',
    Buffer.from(`MIME-Version: 1.0\nContent-Type: text/html\n\n${SCRIPT}`),
    'a.mht',
    'message/rfc822',
  ],
]

/** Images that are something else as well, with their type. */
export const POLYGLOTS: readonly (readonly [what: string, bytes: Buffer, type: string])[] = [
  [
    'GIF and JavaScript',
    Buffer.from('GIF89a/*\u0001\u0001*/=1;localStorage.setItem("pwned","1")//', 'latin1'),
    'image/gif',
  ],
  ['PNG and HTML', Buffer.concat([PNG, Buffer.from(SCRIPT)]), 'image/png'],
]

/** Names that could deceive or do harm, and what is shown instead. */
export const HOSTILE_NAMES: readonly (readonly [what: string, name: string, shown: string])[] = [
  ['a path', '../../etc/passwd', 'passwd'],
  ['a path of Windows', 'C:\\Windows\\system32\\a.dll', 'a.dll'],
  ['only a path', '../../', 'file'],
  ['right-to-left text', 'photo\u202egpj.exe', 'photogpj.exe'],
  ['line breaks and quotes', 'a"\r\nX-Evil: 1\r\n.png', 'a_X-Evil_ 1.png'],
  ['a hidden file', '.htaccess', 'htaccess'],
  ['invisible characters', 'a\u200b\u2060.png', 'a.png'],
  ['the longest name', 'ü'.repeat(255), 'ü'.repeat(255)],
  ['markup', '<img src=x onerror=alert(1)>.png', '_img src=x onerror=alert(1)_.png'],
]
