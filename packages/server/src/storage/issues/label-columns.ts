/** Numbers of labels as a text, `,3,17,`, in which one can be looked for; NULL for none. */
export function storedLabels(labels: readonly number[]): string | null {
  return labels.length === 0 ? null : `,${labels.join()},`
}

export function readLabels(stored: string | null): readonly number[] {
  return stored === null ? NO_LABELS : stored.slice(1, -1).split(',').map(Number)
}

export const NO_LABELS: readonly number[] = []
