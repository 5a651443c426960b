import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintUnshardedId, type ViewId } from '../../src/model/ids.ts'
import { declare, sha256Of } from '../attachment-stage.ts'
import type { Answer } from '../start-app.ts'
import { settleDeliveries } from './probes/webhooks.ts'
import type { Place, Twin, Twins } from './twins.ts'

/** Words that only security issues contain. */
export const HIDDEN_WORDS = ['zebra', 'quagga', 'okapi', 'ibex']

/** Values that only security issues have. */
export const HIDDEN_VALUES = {
  platform: 'secretos',
  appVersion: '9.9.9',
  buildNumber: '999',
  osVersion: 'HoleOS',
  deviceModel: 'Holephone',
  branch: 'fix/hole',
}

/** Fingerprints of security issues, one for each caller to try; nothing in the open lane has them. */
export const TAKEN_FINGERPRINTS = Array.from({ length: 12 }, (_, index) => `taken-${index}`)

/** The open positions of issues that later become security issues. All of them come first. */
export const POSITIONS_LEFT_BEHIND = 10

/** The bytes of the one file that only a security issue has. */
export const HIDDEN_FILE = 'an ibex in a file'
/** The bytes of a file of a comment on a security issue. */
export const HIDDEN_COMMENT_FILE = 'a quagga in a comment'
/** The secret of a reporter who has reported nothing but open issues. */
export const REPORTER_SECRET = 's'.repeat(43)
const OPEN_REPORTER = hash('sha256', REPORTER_SECRET)
const HIDDEN_REPORTER = hash('sha256', 'h'.repeat(43))
const OPEN_FILE = 'a screenshot, so to speak'

export interface Story {
  /** The security issues, by name, in either project. */
  hiddenIds(place: Place): ReadonlyMap<string, string>
  hiddenNumbers(place: Place): ReadonlyMap<string, number>
  /** The id of the file that a security issue has. */
  hiddenFile(place: Place): string
  /** The id of the file that a comment on a security issue has. */
  hiddenCommentFile(place: Place): string
  /** A view of security issues that is shared with the project. */
  hiddenView(place: Place): string
  /** How many submissions of a project were about them. */
  readonly hiddenSubmissions: number
}

const STEP_MS = 2_700_000
/** Twice as long as a new issue waits for the full-text index. */
const UNTIL_INDEXED_MS = 600

/** Sends the same reports to both apps, and to one of them also security issues of every kind, both new and already indexed. */
export async function tellStory({ plain, hiding, places, people }: Twins): Promise<Story> {
  const hidden = new Map<string, string>()
  const hiddenNumbers = new Map<string, number>()
  const hiddenFiles = new Map<string, string>()
  const hiddenCommentFiles = new Map<string, string>()
  const hiddenViews = new Map<string, ViewId>()
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
    /** Sends a file of a report, and names all files of its issue. */
    async upload(name: string, submissionId: string, bytes: string): Promise<void> {
      for (const place of places) {
        for (const twin of [plain, hiding]) {
          twin.name(place, await upload(twin, place, submissionId, bytes), 'file')
          for (const file of await filesOf(twin, place, twin.idOf(place, name)))
            twin.name(place, file, `file ${file.name}`)
        }
      }
    },
    async change(name: string, patch: object): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding]) await change(twin, place, twin.idOf(place, name), patch)
    },
    async merge(name: string, into: string): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding])
          await merge(twin, place, twin.idOf(place, name), twin.idOf(place, into))
    },
    async mark(name: string, method: 'POST' | 'DELETE'): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding]) await mark(twin, place, twin.idOf(place, name), method)
    },
    async comment(name: string, commentId: string, text: string, audience?: 'reporters'): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding])
          await comment(twin, place, twin.idOf(place, name), { commentId, text, audience })
    },
    async remove(name: string): Promise<void> {
      passTime()
      for (const place of places)
        for (const twin of [plain, hiding]) await remove(twin, place, twin.idOf(place, name))
    },
  }

  /** What happens only in one of them: at the end all of it is in the security lane, or deleted. */
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
    async upload(submissionId: string, bytes: string): Promise<void> {
      for (const place of places)
        hiddenFiles.set(place.project.id, (await upload(hiding, place, submissionId, bytes)).id)
    },
    async change(name: string, patch: object): Promise<void> {
      for (const place of places) await change(hiding, place, idOf(place, name), patch)
    },
    async merge(name: string, into: string): Promise<void> {
      for (const place of places) await merge(hiding, place, idOf(place, name), idOf(place, into))
    },
    async mark(name: string, method: 'POST' | 'DELETE'): Promise<void> {
      for (const place of places) await mark(hiding, place, idOf(place, name), method)
    },
    async comment(name: string, commentId: string, text: string, audience?: 'reporters'): Promise<void> {
      for (const place of places)
        await comment(hiding, place, idOf(place, name), { commentId, text, audience })
    },
    /** With a file. */
    async show(name: string, commentId: string, bytes: string): Promise<void> {
      for (const place of places) {
        const id = idOf(place, name)
        const attachments = [declare(bytes, 'quagga.txt')]
        await comment(hiding, place, id, { commentId, text: 'An okapi, see the file', attachments })
        const path = `/v1/issues/${id}/comments/${commentId}/attachments/${sha256Of(bytes)}`
        const answer = await hiding.api.send('PUT', path, { key: place.teamKey, body: bytes })
        if (answer.status !== 201) throw new Error(`the story was refused: ${answer.text}`)
        hiddenCommentFiles.set(place.project.id, answer.body.id)
      }
    },
    async remove(name: string): Promise<void> {
      for (const place of places) await remove(hiding, place, idOf(place, name))
    },
    async share(name: string, query: string): Promise<void> {
      for (const { project } of places) {
        const id = mintUnshardedId('viw', project.createdAt)
        const view = { id, userId: people.sighted, projectId: project.id, createdAt: project.createdAt }
        await hiding.api.app.storage.views.create({ ...view, name, query, isShared: true })
        hiddenViews.set(project.id, id)
      }
    },
  }

  function idOf({ project }: Place, name: string): string {
    return hidden.get(`${project.id} ${name}`) ?? ''
  }

  function passTime(): void {
    for (const twin of [plain, hiding]) twin.pass(STEP_MS)
  }

  // These were visible to everyone for a while. The other app has a gap in its positions instead.
  await lane.submit('moved', {
    category: 'bug',
    fingerprint: 'moved',
    description: 'An okapi, at first a bug',
  })
  await lane.submit('moved', { category: 'crash', fingerprint: 'moved', reporterKeyHash: HIDDEN_REPORTER })
  await lane.change('moved', {
    status: 'in_progress',
    assigneeId: people.blind,
    labels: ['shared', 'secret'],
    known: { title: 'Okapi in the log', text: 'A zebra that was published for a while' },
  })
  await lane.comment('moved', 'shared', 'An okapi: @Sighted and @Blind should know')
  await lane.comment('moved', 'zebra', 'A comment that is hidden later')
  await lane.submit('double', { category: 'bug', fingerprint: 'double' })
  await lane.submit('moved and deleted', { category: 'performance' })
  await lane.submit('moved late', {
    category: 'ui_ux',
    description: 'quagga, indexed before it moved',
    // The first report of a version and a branch that others report from as well.
    appVersion: '2.4.1',
    branch: 'main',
    reporter: { email: 'okapi@example.com' },
  })
  // Hiding the issue that it is merged into releases it.
  await lane.merge('moved late', 'double')
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
    buildNumber: '512',
    osVersion: 'iOS 26.1',
    submissionId: 'open-1',
    metadata: { locale: 'de-CH' },
    context: { page: 'https://app.example/settings' },
    reporter: { id: 'ada', email: 'ada@example.com' },
    sdk: { name: '@bugle/sdk', version: '0.1.0' },
    reporterKeyHash: OPEN_REPORTER,
    attachments: [declare(OPEN_FILE, 'shot.txt'), declare('never sent', 'trace.txt')],
  })
  await open.upload('blank', 'open-1', OPEN_FILE)
  const joins = { platform: 'ios', appVersion: '2.4.1' }
  await lane.submit('hole', {
    description: 'A quagga in the log: anyone can read it',
    priority: 'critical',
    fingerprint: 'shared',
    context: { page: 'https://app.example/zebra' },
    reporter: { id: 'ada', email: 'okapi@example.com' },
    submissionId: 'hidden-1',
    sdk: { name: '@bugle/sdk', version: '9.9.9' },
    reporterKeyHash: HIDDEN_REPORTER,
    attachments: [declare(HIDDEN_FILE, 'okapi.txt'), declare('never sent', 'quagga.txt')],
  })
  await lane.upload('hidden-1', HIDDEN_FILE)
  await lane.submit('hole', { fingerprint: 'shared', reporter: { id: 'zoe' } })
  await open.submit('blank', { ...joins, fingerprint: 'shared', reporter: { id: 'bob' } })
  await lane.change('hole', { status: 'resolved', fixedIn: { appVersion: '9.9.0' } })
  await lane.submit('hole', { fingerprint: 'shared' })
  await lane.change('hole', {
    ...{ title: 'Ibex in the cookie', priority: 'high', assigneeId: people.sighted },
    labels: ['secret', 'shared'],
  })

  await lane.comment('hole', 'shared', 'Ibex, says @Sighted to @Blind')
  await lane.comment('hole', 'hidden', 'Quagga, see #1')
  await lane.comment('hole', 'reply', 'A zebra, dear reporter', 'reporters')
  await lane.show('hole', 'file', HIDDEN_COMMENT_FILE)
  await lane.share('Okapis', 'category=bug%2Csecurity&q=quagga')
  await open.comment('blank', 'shared', 'As in #1: @Sighted and @Blind, please look')
  await open.comment('blank', 'second', 'Thanks')
  await open.comment('blank', 'reply', 'Which phone is it?', 'reporters')

  await open.submit('successor', { category: 'crash', fingerprint: 'moved', platform: 'android' })
  await open.submit('successor', { category: 'crash', fingerprint: 'moved' })

  await lane.submit('deleted', { fingerprint: 'deleted' })
  await lane.change('deleted', { status: 'closed' })
  await lane.remove('deleted')
  await lane.submit('fixed', { description: 'ibex' })
  await lane.change('fixed', { status: 'acknowledged' })
  await lane.change('fixed', { status: 'resolved', fixedIn: { appVersion: '2.4.2' } })
  for (const fingerprint of TAKEN_FINGERPRINTS) await lane.submit(fingerprint, { fingerprint })

  await open.change('blank', {
    status: 'acknowledged',
    note: 'Seen',
    assigneeId: people.blind,
    labels: ['shared'],
    known: { title: 'Blank until it is turned', text: 'Turn the phone.' },
  })
  await open.change('blank', { status: 'resolved', fixedIn: { appVersion: '2.4.0' } })
  await open.submit('blank', { ...joins, fingerprint: 'shared' })
  await open.submit('slow', { category: 'performance', priority: 'low', platform: 'web', branch: 'main' })
  await open.change('slow', { status: 'wontfix', assigneeId: people.sighted })
  await open.submit('ugly', { category: 'ui_ux', appVersion: '2.4.2', reporterKeyHash: OPEN_REPORTER })
  await open.change('ugly', { status: 'in_progress' })
  await open.submit('mistake', { description: 'with a password in it', submissionId: 'open-2' })
  await open.remove('mistake')
  await open.submit('closed', { priority: 'critical', branch: 'release/2.4' })
  await open.change('closed', { status: 'closed' })
  await open.merge('ugly', 'slow')

  await open.submit('advert', {
    description: 'Nothing is cheaper',
    appVersion: '2.4.2',
    fingerprint: 'advert',
  })
  await lane.submit('junk', { description: 'A zebra for sale', fingerprint: 'advert' })
  await open.mark('advert', 'POST')
  await lane.mark('junk', 'POST')
  await lane.mark('fixed', 'POST')
  await lane.mark('fixed', 'DELETE')
  await open.submit('dear', { description: 'Nothing is dearer' })
  await open.mark('dear', 'POST')
  await open.mark('dear', 'DELETE')

  await sleep(UNTIL_INDEXED_MS)
  await lane.change('moved late', { category: 'security' })
  await lane.change('fixed', { status: 'open', description: 'okapi and ibex' })
  await lane.merge('fixed', 'hole')
  await lane.submit('new', { description: 'a quagga that is not indexed yet' })
  await open.submit('last', { description: 'a report that is not indexed yet', appVersion: '2.4.2' })
  passTime()

  return {
    hiddenSubmissions,
    hiddenIds: ({ project }) => ofProject(project.id, hidden),
    hiddenNumbers: ({ project }) => ofProject(project.id, hiddenNumbers),
    hiddenFile: ({ project }) => hiddenFiles.get(project.id) ?? '',
    hiddenCommentFile: ({ project }) => hiddenCommentFiles.get(project.id) ?? '',
    hiddenView: ({ project }) => hiddenViews.get(project.id) ?? '',
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

async function upload({ api }: Twin, place: Place, submissionId: string, bytes: string) {
  const path = `/v1/submissions/${submissionId}/attachments/${sha256Of(bytes)}`
  const answer = await api.send('PUT', path, { key: place.publicKey, body: bytes })
  if (answer.status !== 201) throw new Error(`the story was refused: ${answer.text}`)
  return answer.body
}

async function merge({ api }: Twin, { teamKey: key }: Place, id: string, into: string): Promise<void> {
  const answer = await api.send('POST', `/v1/issues/${id}/merge`, { key, body: { into } })
  if (answer.status !== 200) throw new Error(`the story was refused: ${answer.text}`)
}

/** Only after what happened before has been delivered: otherwise it would depend on the time whether it is. */
async function mark(
  twin: Twin,
  { teamKey: key }: Place,
  id: string,
  method: 'POST' | 'DELETE',
): Promise<void> {
  await settleDeliveries(twin)
  const body = method === 'POST' ? { body: {} } : {}
  const answer = await twin.api.send(method, `/v1/issues/${id}/spam`, { key, ...body })
  if (answer.status !== 200) throw new Error(`the story was refused: ${answer.text}`)
}

async function filesOf({ api }: Twin, { teamKey: key }: Place, id: string): Promise<Answer['body'][]> {
  return (await api.send('GET', `/v1/issues/${id}/attachments`, { key })).body.data
}

async function change({ api }: Twin, place: Place, id: string, body: object): Promise<void> {
  const answer = await api.send('PATCH', `/v1/issues/${id}`, { key: place.teamKey, body })
  if (answer.status !== 200) throw new Error(`the story was refused: ${answer.text}`)
}

async function comment({ api }: Twin, place: Place, id: string, body: object): Promise<void> {
  const answer = await api.send('POST', `/v1/issues/${id}/comments`, { key: place.teamKey, body })
  if (answer.status !== 201) throw new Error(`the story was refused: ${answer.text}`)
}

async function remove({ api }: Twin, place: Place, id: string): Promise<void> {
  const answer = await api.send('DELETE', `/v1/issues/${id}`, { key: place.teamKey })
  if (answer.status !== 204) throw new Error(`the story was refused: ${answer.text}`)
}
