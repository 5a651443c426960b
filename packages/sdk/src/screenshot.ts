import { report } from './core/api.ts'
import type { ReportInput, ReportResult } from './core/types.ts'

/** An image: its bytes, or a text in base64 or with a `data:` address, as React Native has it. */
export type Screenshot = Blob | Uint8Array | string

/** Takes a picture of the app. What cannot be taken is `undefined`. */
export type TakeScreenshot = () => Promise<Screenshot | undefined> | Screenshot | undefined

/** A report waits for its screenshot for this long. */
const TAKE_MS = 5_000

/** Reports a problem with a picture of the app. Needs `enableFiles`. If the picture cannot be taken, the report is sent without it. */
export async function reportWithScreenshot(
  input: ReportInput,
  takeScreenshot: TakeScreenshot,
): Promise<ReportResult> {
  const content = await take(takeScreenshot)
  if (content === undefined) return report(input)
  const contentType = typeOf(content)
  const name = `screenshot.${contentType.slice('image/'.length)}`
  return report({ ...input, attachments: [...(input.attachments ?? []), { name, contentType, content }] })
}

async function take(takeScreenshot: TakeScreenshot): Promise<Blob | Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), TAKE_MS)
    })
    const taken = await Promise.race([takeScreenshot(), late])
    return typeof taken === 'string' ? bytesOf(taken) : taken
  } catch {
    // The text is worth more than the picture.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function typeOf(image: Blob | Uint8Array): string {
  if (!(image instanceof Uint8Array)) return image.type || 'image/png'
  return image[0] === 0xff ? 'image/jpeg' : 'image/png'
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes base64, without `atob`, which not all versions of React Native have. */
function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.slice(text.indexOf(',') + 1).replaceAll(/[\s=]/g, '')
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let bits = 0
  let count = 0
  let at = 0
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) return undefined
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[at++] = (bits >> count) & 0xff
  }
  return at > 0 ? bytes : undefined
}
