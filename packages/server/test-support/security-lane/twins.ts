import { ALL_SCOPES, type Role } from '@bugle/contract'
import { mintKey } from '../../src/domain/projects/keys.ts'
import { makeProject } from '../../src/domain/projects/projects.ts'
import type { AttachmentId, IssueId, ProjectId, UserId, WebhookId } from '../../src/model/ids.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { assertInContract, credentialOf } from '../call-api.ts'
import { makeSession } from '../make-session.ts'
import { sendRequest } from '../send-request.ts'
import { createNames, type ShownAnswer, showAnswer } from '../shown-answer.ts'
import { type Answer, BLIND_SCOPES, startApp, type TestApp, type UserOptions } from '../start-app.ts'
import { POSITIONS_LEFT_BEHIND } from './story.ts'

/** Two apps that are identical, including their keys. Only one of them ever gets a security issue: a caller who can tell which one has found a leak. */
export interface Twins extends AsyncDisposable {
  /** Never has a security issue. */
  readonly plain: Twin
  readonly hiding: Twin
  /** A private and a public project; both have the same story. */
  readonly places: readonly Place[]
  readonly keys: SharedKeys
  /** People to assign issues to: one who sees the lane, and one who does not. */
  readonly people: { readonly sighted: UserId; readonly blind: UserId }
  /** Sets both clocks to the same time, in case one app has received more requests. */
  align(): void
}

/** A project that both apps have, and its keys. */
export interface Place {
  readonly project: ProjectRecord
  readonly publicKey: string
  /** Has every scope. */
  readonly teamKey: string
  /** Has every scope but `security:read`. */
  readonly blindKey: string
}

interface SharedKeys {
  /** For all projects, with every scope but `security:read`. */
  readonly blindInstanceKey: string
  /** A key of another project, with every scope. */
  readonly strangersKey: string
  /** The cookies of people without access to the lane, by role. */
  readonly blindPeople: Readonly<Record<Role, string>>
  /** The cookie of a person of another project, who may do everything there. */
  readonly strangersCookie: string
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown
}

export interface Twin {
  readonly api: TestApp
  /** Sends a request. The clock advances with each one, so that rate limits are never reached. */
  ask(place: Place, asked: Asked): Promise<Answer>
  /** Requests a stream and, once it is open, listens until it sends what `report` has submitted in the meantime. */
  listen(place: Place, asked: Asked, report: () => Promise<string>): Promise<Answer>
  /** The responses since the last call, with everything replaced that may differ. */
  takeTranscript(): readonly ShownAnswer[]
  /** Gives an issue, a webhook or a file a name that is the same in both apps. */
  name(
    place: Place,
    issue: { readonly id: IssueId | WebhookId | AttachmentId; readonly issueNumber?: number },
    name: string,
  ): void
  /** The id of the resource with this name. */
  idOf(place: Place, name: string): string
  /** The number of the issue with this name. */
  numberOf(place: Place, name: string): number
  pass(milliseconds: number): void
}

const STORY_BEGINS = Date.UTC(2026, 10, 10, 9)
const BETWEEN_QUESTIONS_MS = 5_000

export async function startTwins(): Promise<Twins> {
  const moments: readonly Moment[] = [
    { now: STORY_BEGINS, named: 0 },
    { now: STORY_BEGINS, named: 0 },
  ]
  const [plain, hiding] = (await Promise.all(moments.map(startTwin))) as [Twin, Twin]
  let users = 0

  function newProject(slug: string, isPublic: boolean): ProjectRecord {
    return makeProject({ name: slug, slug, isPublic, defaultBranch: 'main', createdAt: STORY_BEGINS })
  }

  async function addProject(slug: string, isPublic: boolean): Promise<ProjectRecord> {
    const project = newProject(slug, isPublic)
    await hiding.api.app.storage.projects.create(project)
    await importProject(plain.api.app.storage, project)
    return project
  }

  /** Nothing is hidden in it, so it is the same in both apps. */
  async function addOtherProject(): Promise<ProjectRecord> {
    const project = newProject('another', false)
    for (const { api } of [plain, hiding]) await api.app.storage.projects.create(project)
    return project
  }

  async function addKey(projectId: ProjectId | null, scopes: typeof ALL_SCOPES | null): Promise<string> {
    const { token, key } = mintKey({
      projectId,
      kind: scopes === null ? 'public' : 'secret',
      name: null,
      scopes: scopes ?? [],
      origins: [],
      createdAt: STORY_BEGINS,
    })
    for (const { api } of [plain, hiding]) await api.app.storage.keys.create(key)
    return token
  }

  async function addPlace(slug: string, isPublic: boolean): Promise<Place> {
    const project = await addProject(slug, isPublic)
    for (const { api } of [plain, hiding])
      for (const name of ['shared', 'secret'])
        await api.app.storage.labels.create({
          ...{ projectId: project.id, name, colour: '#596273' },
          createdAt: STORY_BEGINS,
        })
    return {
      project,
      publicKey: await addKey(project.id, null),
      teamKey: await addKey(project.id, ALL_SCOPES),
      blindKey: await addKey(project.id, BLIND_SCOPES),
    }
  }

  async function addUser(options: UserOptions): Promise<string> {
    return (await addPerson(options)).cookie
  }

  async function addPerson(options: UserOptions): Promise<{ readonly id: UserId; readonly cookie: string }> {
    const email = `user-${++users}@example.com`
    const { user, signIn, cookie } = makeSession({ email, ...options }, STORY_BEGINS)
    for (const { api } of [plain, hiding]) {
      await api.app.storage.users.create(user)
      await api.app.storage.signIns.create(signIn, null)
    }
    return { id: user.id, cookie }
  }

  const other = await addOtherProject()
  return {
    plain,
    hiding,
    places: [await addPlace('private-project', false), await addPlace('public-project', true)],
    keys: {
      blindInstanceKey: await addKey(null, BLIND_SCOPES),
      strangersKey: await addKey(other.id, ALL_SCOPES),
      blindPeople: {
        viewer: await addUser({ role: 'viewer' }),
        triager: await addUser({ role: 'triager' }),
        admin: await addUser({ role: 'admin' }),
      },
      strangersCookie: await addUser({ canSeeSecurity: true, projects: [other] }),
    },
    people: {
      sighted: (await addPerson({ name: 'Sighted', canSeeSecurity: true })).id,
      blind: (await addPerson({ name: 'Blind' })).id,
    },
    align() {
      const now = Math.max(...moments.map((moment) => moment.now))
      const named = Math.max(...moments.map((moment) => moment.named))
      for (const moment of moments) Object.assign(moment, { now, named })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.api[Symbol.asyncDispose](), hiding.api[Symbol.asyncDispose]()])
    },
  }
}

/** Creates a project whose log has the gap that issues leave when they become security issues. */
async function importProject({ transfer }: Storage, project: ProjectRecord): Promise<void> {
  const digest = project.id
  await transfer.beginImport(digest)
  const line = {
    record: 'project',
    ...project,
    sdkConfig: null,
    lastIssueNumber: 0,
    lastWebhookNumber: 0,
    lastEventPosition: POSITIONS_LEFT_BEHIND,
    lastOpenPosition: POSITIONS_LEFT_BEHIND,
    expiredPosition: 0,
    expiredOpenPosition: 0,
  } as const
  const place = { from: { digest, line: 0 }, toLine: 1, projectId: project.id }
  const batch = { ...place, lines: [line], fileNames: new Map() }
  const outcome = await transfer.finishImport(batch)
  if (outcome !== 'finished') throw new Error(`the project was not imported: ${JSON.stringify(outcome)}`)
}

/** The progress of an app: its clock, and how many issues it has named itself. */
interface Moment {
  now: number
  named: number
}

async function startTwin(moment: Moment): Promise<Twin> {
  const environment = { BUGLE_RATE_LIMITS: 'on', BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }
  const api = await startApp({ clock: () => moment.now, environment })
  const ids = new Map<string, string>()
  const names = createNames()
  let transcript: ShownAnswer[] = []

  const name: Twin['name'] = ({ project }, issue, newName) => {
    ids.set(`${project.id} ${newName}`, issue.id)
    names.add(issue, newName)
  }

  function record(
    { project }: Place,
    { method = 'GET', path }: Asked,
    answer: Answer,
    head?: Answer,
  ): Answer {
    if (!isStream(answer.headers)) assertInContract(method, path, answer)
    if (/^(?:POST|PUT)$/.test(method) && answer.status === 201)
      for (const minted of mintedIn(path, answer.body)) names.add(minted, `new ${++moment.named}`)
    transcript.push(showAnswer({ method, path, answer, head, projectId: project.id }, names))
    return answer
  }

  function idOf({ project }: Place, wanted: string): string {
    const id = ids.get(`${project.id} ${wanted}`)
    if (id === undefined) throw new Error(`the story has no issue "${wanted}"`)
    return id
  }

  return {
    api,
    name,
    async ask(place, asked) {
      moment.now += BETWEEN_QUESTIONS_MS
      const answer = await send(api.url, asked)
      return record(
        place,
        asked,
        answer,
        isPlainGet(asked) ? await send(api.url, { ...asked, method: 'HEAD' }) : undefined,
      )
    },
    async listen(place, asked, report) {
      moment.now += BETWEEN_QUESTIONS_MS
      return record(place, asked, await listen(api.url, asked, report))
    },
    takeTranscript() {
      const taken = transcript
      transcript = []
      return taken
    },
    idOf,
    numberOf: (place, wanted) => names.numberOf(idOf(place, wanted)) ?? 0,
    pass(milliseconds) {
      moment.now += milliseconds
    },
  }
}

/** Each GET is also sent as HEAD, at the same time; without further filters, because there are many. */
function isPlainGet({ method, path }: Asked): boolean {
  return method === undefined && !path.includes('&')
}

async function send(url: string, asked: Asked): Promise<Answer> {
  const response = await sendRequest(url + asked.path, requestOf(asked))
  return toAnswer(response, response.text)
}

/** What has an id that the app chose. Those of comments are chosen by the client, and the same in both apps. */
function mintedIn(path: string, body: Answer['body']): readonly Answer['body'][] {
  // Clients choose the ids of messages.
  if (path.startsWith('/v1/my/')) return []
  if (!path.includes('/comments')) return [body]
  return path.endsWith('/comments') ? body.attachments : []
}

/** Reads a stream until it sends the report; a response that is not a stream is read to its end. */
async function listen(url: string, asked: Asked, report: () => Promise<string>): Promise<Answer> {
  const leaving = new AbortController()
  const response = await fetch(url + asked.path, { ...requestOf(asked), signal: leaving.signal })
  if (!isStream(response.headers)) return toAnswer(response, await response.text())
  let text = ''
  let reportedAt: string | undefined
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    reportedAt ??= await report()
    if (text.includes(`"createdAt":"${reportedAt}"`)) break
  }
  leaving.abort()
  return toAnswer(response, text)
}

function requestOf({ method = 'GET', key, headers, body }: Asked) {
  return {
    method,
    headers: {
      ...credentialOf(key),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

function isStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function toAnswer({ status, headers }: Pick<Answer, 'status' | 'headers'>, text: string): Answer {
  const isJson = /json/.test(headers.get('content-type') ?? '') && text !== ''
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
