/** An icon of 16 by 16, from the path of its lines. Not from markup: a page with Trusted Types allows none. */
export function makeIcon(path: string): SVGElement {
  const name = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(name, 'svg')
  icon.setAttribute('viewBox', '0 0 16 16')
  icon.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(name, 'path')
  line.setAttribute('d', path)
  icon.append(line)
  return icon
}
