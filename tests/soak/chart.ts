import { type Curve, warmUpOf } from './judge.ts'

const WIDTH = 800
const HEIGHT = 170
const LEFT = 70
const TOP = 34
const PLOT = { width: WIDTH - LEFT - 20, height: HEIGHT - TOP - 30 }
const COLOURS = ['#3563c9', '#0d8a6a', '#b5541c']

/** The curves, stacked vertically, with the warm-up in grey. */
export function drawCurves(curves: readonly Curve[]): string {
  const parts = curves.map((curve, index) =>
    drawCurve(curve, index * HEIGHT, COLOURS[index % COLOURS.length] ?? ''),
  )
  const size = `width="${WIDTH}" height="${HEIGHT * curves.length}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12" fill="#444">`,
    '<title>Memory, heap and open files of the server</title>',
    `<rect ${size} fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function drawCurve(curve: Curve, offset: number, colour: string): string {
  const { name, unit, points } = curve
  const end = points.at(-1)?.seconds || 1
  const most = Math.max(...points.map(({ value }) => value)) * 1.1 || 1
  const x = (seconds: number) => (LEFT + (seconds / end) * PLOT.width).toFixed(1)
  const y = (value: number) => (offset + TOP + (1 - value / most) * PLOT.height).toFixed(1)
  const line = points.map(({ seconds, value }) => `${x(seconds)},${y(value)}`).join(' ')
  const bottom = offset + TOP + PLOT.height
  return [
    `<rect x="${LEFT}" y="${offset + TOP}" width="${(Number(x(warmUpOf(curve))) - LEFT).toFixed(1)}" height="${PLOT.height}" fill="#f0f0f0"/>`,
    `<text x="${LEFT}" y="${offset + TOP - 10}" font-weight="bold">${name}${unit && `, ${unit}`}</text>`,
    ...[0, most / 2, most].map(
      (value) => `<text x="${LEFT - 8}" y="${y(value)}" text-anchor="end">${Math.round(value)}</text>`,
    ),
    ...['start', 'middle', 'end'].map((anchor, half) => {
      const seconds = (end / 2) * half
      return `<text x="${x(seconds)}" y="${bottom + 18}" text-anchor="${anchor}">${(seconds / 60).toFixed(1)} min</text>`
    }),
    `<path d="M${LEFT} ${offset + TOP}V${bottom}H${LEFT + PLOT.width}" stroke="#999" fill="none"/>`,
    `<polyline points="${line}" stroke="${colour}" stroke-width="1.5" fill="none"/>`,
  ].join('\n')
}
