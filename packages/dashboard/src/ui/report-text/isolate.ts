const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Isolates reported text within a sentence, so that it cannot reverse the rest of it. */
export function isolate(text: string): string {
  return `\u2068${text.replace(DIRECTION_CONTROLS, '')}\u2069`
}
