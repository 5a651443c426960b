import { Glyph, LINES } from './glyph.tsx'

/** Drawn for 16 by 16, in the colour of the text around them. */
const PATHS = {
  inbox:
    'M2.5 9.500h3l1 2h3l1-2h3M2.5 9.500v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3l-1.8-6.300a1 1 0 0 0-1-.700H5.300a1 1 0 0 0-1 .700L2.5 9.500Z',
  insights: 'M3 13.500V8.500M8 13.500v-11M13 13.500V6',
  project:
    'M2.5 5.2 8 2.300l5.5 2.900v5.600L8 13.700l-5.5-2.900V5.200Zm0 0L8 8.100m0 0 5.5-2.900M8 8.100v5.6',
  search: 'M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  sort: 'M5 2.500v11m0 0L2.5 11M5 13.5 7.5 11M11 13.500v-11m0 0L8.5 5M11 2.5 13.5 5',
  chevron: 'm4.5 6 3.5 3.500L11.5 6',
  right: 'm6 4.5 3.5 3.500L6 11.5',
  left: 'M10 4.5 6.5 8l3.5 3.5',
  check: 'm3.5 8.5 3 3 6-7',
  close: 'm4 4 8 8m0-8-8 8',
  menu: 'M2.5 4.500h11M2.5 8h11M2.5 11.500h11',
  bookmark: 'M4.5 2.500h7v11L8 11l-3.5 2.500v-11Z',
  trash: 'M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.5 9h6l.5-9M7 7v4M9 7v4',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.400A2.7 2.7 0 0 0 8 8Zm-5 5.500c.5-2.5 2.5-3.5 5-3.500s4.5 1 5 3.5',
  sun: 'M8 10.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1.500v1.300M8 13.200v1.300M1.5 8h1.300M13.2 8h1.300M3.4 3.400l.9.900M11.7 11.700l.9.900M3.4 12.600l.9-.900M11.7 4.300l.9-.9',
  moon: 'M13.3 9.500A5.8 5.8 0 0 1 6.5 2.700a5.8 5.8 0 1 0 6.8 6.800Z',
  screen: 'M2.5 3h11v7.500h-11V3Zm3.5 10.500h4M8 10.500v3',
  keyboard: 'M1.5 4h13v8h-13V4Zm3 2.500h.01M7 6.500h.01M9.5 6.500h.01M12 6.500h.01M4.5 9.500h7',
  offline:
    'm2 2 12 12M5.2 9.700a4 4 0 0 1 2-1.100M2.8 7.300A7.5 7.5 0 0 1 5 5.800M9 5.100a7.5 7.5 0 0 1 4.2 2.200M8 12.500h.01',
  up: 'M8 13V3m0 0L4 7m4-4 4 4',
  down: 'M8 3v10m0 0 4-4m-4 4L4 9',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.7 4M13.5 2v3h-3',
  copy: 'M5.5 5.500v-3h8v8h-3M2.5 5.500h8v8h-8v-8Z',
  link: 'M7 9a2.7 2.7 0 0 0 3.8 0l2-2A2.7 2.7 0 0 0 9 3.200l-.8.800M9 7a2.7 2.7 0 0 0-3.8 0l-2 2A2.7 2.7 0 0 0 7 12.800l.8-.8',
  signOut: 'M6.5 2.500h-4v11h4M6 8h8m0 0-3-3m3 3-3 3',
  warning: 'M8 2.2 14.5 13.500h-13L8 2.200Zm0 4.300v3.500M8 11.900h.01',
  reports: 'M4 2.500h8v11H4v-11Zm2 3h4M6 8h4M6 10.500h2',
  edit: 'm11 2.500 2.500 2.500-8 8-3 .5.5-3 8-8ZM9.3 4.200l2.5 2.5',
  more: 'M3.6 8a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0ZM8.4 8a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0ZM13.2 8a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0Z',
  docs: 'M8 4.200v9M8 4.200C6.500 3 4.500 2.700 2.500 2.800v9c2-.100 4 .200 5.500 1.400 1.500-1.200 3.500-1.500 5.500-1.400v-9c-2-.100-4 .200-5.500 1.400Z',
  table: 'M2.5 3h11v10h-11V3Zm0 3.500h11M2.5 9.800h11M6.5 6.500V13',
  note: 'M2.5 3h11v8H8l-3 2.500V11H2.500V3Z',
  external: 'M6.5 3.500h-3v9h9v-3M9 2.500h4.500V7m0-4.500L7.5 8.500',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.200v9.600l7.500-4.800L5 3.200Z',
  send: 'M13.500 2.500 7 9m6.500-6.500-4 11L7 9l-4.500-2.500 11-4Z',
} as const

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  readonly size?: number
}

/** An icon beside a text, or in a button that has a name: it says nothing to a screen reader. */
export function Icon({ name, size = 16 }: IconProps) {
  return (
    <Glyph size={size} {...LINES}>
      <path d={PATHS[name]} />
    </Glyph>
  )
}
