const UNITS: Readonly<Record<string, number>> = {
  TiB: 2 ** 40,
  GiB: 2 ** 30,
  MiB: 2 ** 20,
  KiB: 2 ** 10,
}

const SIZE = /^([1-9]\d{0,8})([KMGT]iB)?$/

/** Reads `10`, `64KiB` or `10MiB`; `undefined` for anything else. */
export function parseByteSize(text: string): number | undefined {
  const [, number, unit = ''] = SIZE.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1)
}

/** The shortest exact text that {@link parseByteSize} reads. */
export function byteSizeText(bytes: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, one]) => bytes % one === 0) ?? ['', 1]
  return `${bytes / size}${unit}`
}

/** For people, as in 3.2 GiB. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 2 ** (10 * power)).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power]}`
}
