import { ALL_SCOPES, type Role } from '@bugle/contract'
import { mintKey } from '../src/domain/projects/keys.ts'
import { makeProject } from '../src/domain/projects/projects.ts'
import type { IssueId, ProjectId, WebhookId } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { Storage } from '../src/storage/storage.ts'
import { assertInContract, credentialOf } from './call-api.ts'
import { POSITIONS_LEFT_BEHIND } from './lane-story.ts'
import { makeSession } from './make-session.ts'
import { createNames, type ShownAnswer, showAnswer } from './shown-answer.ts'
import { type Answer, BLIND_SCOPES, startApp, type TestApp, type UserWish } from './start-app.ts'

/** Two apps that are alike to the last key. Only one of them ever gets a security issue: who can tell which, has found a leak. */
export interface Twins extends AsyncDisposable {
  /** Never has a security issue. */
  readonly plain: Twin
  readonly hiding: Twin
  /** A private and a public project; both have the same story. */
  readonly places: readonly Place[]
  readonly keys: SharedKeys
  /** Sets both clocks alike, should the one app have been asked more than the other. */
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
  /** Of another project, with every scope. */
  readonly strangersKey: string
  /** The cookies of people without the right to see the lane, by role. */
  readonly blindPeople: Readonly<Record<Role, string>>
  /** Of a person of another project, who may do everything there. */
  readonly strangersCookie: string
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown
}

export interface Twin {
  readonly api: TestApp
  /** Asks one question. Time goes on with each, so that limits are never reached. */
  ask(place: Place, asked: Asked): Promise<Answer>
  /** Asks for a stream, and once it is open listens until it tells of what is reported meanwhile, at the time that `report` returns. */
  listen(place: Place, asked: Asked, report: () => Promise<string>): Promise<Answer>
  /** What was answered since the last time, with everything replaced that may differ. */
  takeTranscript(): readonly ShownAnswer[]
  /** Gives an issue or a webhook a name that is the same in both apps. */
  name(
    place: Place,
    issue: { readonly id: IssueId | WebhookId; readonly issueNumber?: number },
    name: string,
  ): void
  /** The id of what has this name. */
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
    return {
      project,
      publicKey: await addKey(project.id, null),
      teamKey: await addKey(project.id, ALL_SCOPES),
      blindKey: await addKey(project.id, BLIND_SCOPES),
    }
  }

  async function addUser(wish: UserWish): Promise<string> {
    const email = `user-${++users}@example.com`
    const { user, signIn, cookie } = makeSession({ email, ...wish }, STORY_BEGINS)
    for (const { api } of [plain, hiding]) {
      await api.app.storage.users.create(user)
      await api.app.storage.signIns.create(signIn, null)
    }
    return cookie
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

/** Makes a project whose log has the gap that issues leave behind when they become security issues. */
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
  const batch = { from: { digest, line: 0 }, toLine: 1, projectId: project.id, lines: [line] }
  const outcome = await transfer.finishImport(batch)
  if (outcome !== 'finished') throw new Error(`the project was not imported: ${JSON.stringify(outcome)}`)
}

/** How far an app is: its clock, and how many issues it has named by itself. */
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
    if (method === 'POST' && answer.status === 201) names.add(answer.body, `new ${++moment.named}`)
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

/** What can be got can be asked for by HEAD too, at the same moment; without further filters, for there are many. */
function isPlainGet({ method, path }: Asked): boolean {
  return method === undefined && !path.includes('&')
}

async function send(url: string, asked: Asked): Promise<Answer> {
  const response = await request(url, asked)
  const text = await response.text()
  return toAnswer(response, text)
}

/** Reads a stream until it tells of the report; an answer that is no stream is read to its end. */
async function listen(url: string, asked: Asked, report: () => Promise<string>): Promise<Answer> {
  const leaving = new AbortController()
  const response = await request(url, asked, leaving.signal)
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

function request(url: string, { method = 'GET', path, key, headers, body }: Asked, signal?: AbortSignal) {
  return fetch(url + path, {
    method,
    headers: {
      ...credentialOf(key),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

function isStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function toAnswer({ status, headers }: Response, text: string): Answer {
  const isJson = /json/.test(headers.get('content-type') ?? '') && text !== ''
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
