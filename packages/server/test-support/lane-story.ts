import { setTimeout as sleep } from 'node:timers/promises'
import type { Place, Twin, Twins } from './lane-twins.ts'

/** Words that only security issues contain. */
export const HIDDEN_WORDS = ['zebra', 'quagga', 'okapi', 'ibex']

/** What can be asked for only because security issues have it. */
export const HIDDEN_VALUES = { platform: 'secretos', appVersion: '9.9.9', branch: 'fix/hole' }

/** Fingerprints that security issues have, for one caller each to try; in the open lane nothing has them. */
export const TAKEN_FINGERPRINTS = Array.from({ length: 12 }, (_, index) => `taken-${index}`)

/** The open positions that issues of the story take which become security issues. All of them come first. */
export const POSITIONS_LEFT_BEHIND = 6

export interface Story {
  /** The security issues there are, by name, in one project or the other. */
  hiddenIds(place: Place): ReadonlyMap<string, string>
  hiddenNumbers(place: Place): ReadonlyMap<string, number>
  /** How many submissions of a project were about them. */
  readonly hiddenSubmissions: number
}

const STEP_MS = 2_700_000
/** Twice as long as a new issue waits for the full-text index. */
const UNTIL_INDEXED_MS = 600

/** Tells both apps the same, and one of them also of security issues of every kind: while they are new, and after they were indexed. */
export async function tellStory({ plain, hiding, places }: Twins): Promise<Story> {
  const hidden = new Map<string, string>()
  const hiddenNumbers = new Map<string, number>()
  let hiddenSubmissions = 0

  /** What happens in both apps. */
  const open = {
    async submit(name: string, body: object): Promise<void> {
      passTime()
      for (const place of places) {
        for (const twin of [plain, hiding]) {
          const { issue, isNew } = await submit(twin, place, { title: name, ...body })
          if (isNew) twin.name(place, issue, name)
        }
      }
    },
    async change(name: string, patch: object): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding]) await change(twin, place, twin.idOf(place, name), patch)
    },
    async remove(name: string): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding]) await remove(twin, place, twin.idOf(place, name))
    },
  }

  /** What happens in one of them, unseen: at the end all of it is in the lane, or gone. */
  const lane = {
    async submit(name: string, body: object): Promise<void> {
      hiddenSubmissions++
      for (const place of places) {
        const content = { title: `Zebra ${name}`, category: 'security', ...HIDDEN_VALUES, ...body }
        const { issue } = await submit(hiding, place, content, place.teamKey)
        hidden.set(`${place.project.id} ${name}`, issue.id)
        hiddenNumbers.set(`${place.project.id} ${name}`, issue.issueNumber)
      }
    },
    async change(name: string, patch: object): Promise<void> {
      for (const place of places) await change(hiding, place, idOf(place, name), patch)
    },
    async remove(name: string): Promise<void> {
      for (const place of places) await remove(hiding, place, idOf(place, name))
    },
  }

  function idOf({ project }: Place, name: string): string {
    return hidden.get(`${project.id} ${name}`) ?? ''
  }

  function passTime(): void {
    for (const twin of [plain, hiding]) twin.pass(STEP_MS)
  }

  // Everyone could see these for a while. The other app has a gap in its positions instead.
  await lane.submit('moved', {
    category: 'bug',
    fingerprint: 'moved',
    description: 'An okapi, at first a bug',
  })
  await lane.submit('moved', { category: 'crash', fingerprint: 'moved' })
  await lane.change('moved', { status: 'in_progress' })
  await lane.submit('double', { category: 'bug', fingerprint: 'double' })
  await lane.submit('moved and deleted', { category: 'performance' })
  await lane.submit('moved late', { category: 'ui_ux', description: 'quagga, indexed before it moved' })
  await lane.change('moved', { category: 'security', note: 'This one is a zebra' })
  await lane.submit('double in the lane', { fingerprint: 'double' })
  await lane.change('double', { category: 'security' })
  await lane.change('moved and deleted', { category: 'security' })
  await lane.remove('moved and deleted')

  await open.submit('blank', {
    description: 'Nothing is drawn until the phone is turned',
    platform: 'ios',
    appVersion: '2.4.1',
    priority: 'high',
    branch: 'main',
    deviceModel: 'iPhone 17',
    fingerprint: 'shared',
    submissionId: 'open-1',
    metadata: { locale: 'de-CH' },
    sdk: { name: '@bugle/sdk', version: '0.1.0' },
  })
  const joins = { platform: 'ios', appVersion: '2.4.1' }
  await lane.submit('hole', {
    description: 'A quagga in the log: anyone can read it',
    priority: 'critical',
    fingerprint: 'shared',
    submissionId: 'hidden-1',
    sdk: { name: '@bugle/sdk', version: '9.9.9' },
  })
  await lane.submit('hole', { fingerprint: 'shared' })
  await open.submit('blank', { ...joins, fingerprint: 'shared' })
  await lane.change('hole', { status: 'resolved', fixedIn: { appVersion: '9.9.0' } })
  await lane.submit('hole', { fingerprint: 'shared' })
  await lane.change('hole', { title: 'Ibex in the cookie', priority: 'high' })

  await open.submit('successor', { category: 'crash', fingerprint: 'moved', platform: 'android' })
  await open.submit('successor', { category: 'crash', fingerprint: 'moved' })

  await lane.submit('deleted', { fingerprint: 'deleted' })
  await lane.change('deleted', { status: 'closed' })
  await lane.remove('deleted')
  await lane.submit('fixed', { description: 'ibex' })
  await lane.change('fixed', { status: 'acknowledged' })
  await lane.change('fixed', { status: 'resolved' })
  for (const fingerprint of TAKEN_FINGERPRINTS) await lane.submit(fingerprint, { fingerprint })

  await open.change('blank', { status: 'acknowledged', note: 'Seen' })
  await open.change('blank', { status: 'resolved', fixedIn: { appVersion: '2.4.0' } })
  await open.submit('blank', { ...joins, fingerprint: 'shared' })
  await open.submit('slow', { category: 'performance', priority: 'low', platform: 'web', branch: 'main' })
  await open.change('slow', { status: 'wontfix' })
  await open.submit('ugly', { category: 'ui_ux', appVersion: '2.4.2' })
  await open.change('ugly', { status: 'in_progress' })
  await open.submit('mistake', { description: 'with a password in it', submissionId: 'open-2' })
  await open.remove('mistake')
  await open.submit('closed', { priority: 'critical', branch: 'release/2.4' })
  await open.change('closed', { status: 'closed' })

  await sleep(UNTIL_INDEXED_MS)
  await lane.change('moved late', { category: 'security' })
  await lane.change('fixed', { status: 'open', description: 'okapi and ibex' })
  await lane.submit('new', { description: 'a quagga that is not indexed yet' })
  await open.submit('last', { description: 'a report that is not indexed yet', appVersion: '2.4.2' })
  passTime()

  return {
    hiddenSubmissions,
    hiddenIds: ({ project }) => ofProject(project.id, hidden),
    hiddenNumbers: ({ project }) => ofProject(project.id, hiddenNumbers),
  }
}

function ofProject<T>(projectId: string, known: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const own = [...known].filter(([key]) => key.startsWith(projectId))
  return new Map(own.map(([key, value]) => [key.slice(projectId.length + 1), value]))
}

async function submit({ api }: Twin, place: Place, body: object, key = place.publicKey) {
  const answer = await api.send('POST', '/v1/issues', { key, body })
  if (answer.status > 201) throw new Error(`the story was refused: ${answer.text}`)
  return { issue: answer.body, isNew: answer.status === 201 }
}

async function change({ api }: Twin, place: Place, id: string, body: object): Promise<void> {
  const answer = await api.send('PATCH', `/v1/issues/${id}`, { key: place.teamKey, body })
  if (answer.status !== 200) throw new Error(`the story was refused: ${answer.text}`)
}

async function remove({ api }: Twin, place: Place, id: string): Promise<void> {
  const answer = await api.send('DELETE', `/v1/issues/${id}`, { key: place.teamKey })
  if (answer.status !== 204) throw new Error(`the story was refused: ${answer.text}`)
}
