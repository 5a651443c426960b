import type { Frame } from '@bugle/contract'

/** A frame, or consecutive frames of libraries. */
export type FrameGroup =
  | { readonly kind: 'own'; readonly frame: Frame }
  | { readonly kind: 'libraries'; readonly frames: readonly Frame[] }

/** Frames of libraries are folded, unless the SDK did not mark any frame as the app's own. */
export function groupFrames(frames: readonly Frame[]): readonly FrameGroup[] {
  const hasOwn = frames.some(({ inApp }) => inApp === true)
  const groups: FrameGroup[] = []
  let folded: Frame[] = []
  for (const frame of frames) {
    if (hasOwn && frame.inApp !== true) {
      if (folded.length === 0) groups.push({ kind: 'libraries', frames: folded })
      folded.push(frame)
    } else {
      folded = []
      groups.push({ kind: 'own', frame })
    }
  }
  return groups
}

/** `cart.js:1:88` */
export function placeOf({ file, module, line, column }: Frame): string {
  return [file ?? module ?? 'unknown', line, column].filter((part) => part !== null).join(':')
}

/** The function, with its module if the file does not say where it is. */
export function nameOf({ function: call, file, module }: Frame): string {
  return [file === null ? null : module, call].filter((part) => part !== null).join('.')
}
