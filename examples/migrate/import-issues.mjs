// Reads an export of another tracker and submits it to Bugle. It can be run again: issues that are already stored are not stored twice.
//   BUGLE_KEY=bgl_sec_… node import-issues.mjs github|sentry|csv FILE
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const { BUGLE_URL = 'http://127.0.0.1:4000', BUGLE_KEY = '' } = process.env
const MAX_TITLE_CHARS = 256
const MAX_DESCRIPTION_CHARS = 32_768
const AGAIN = 'Run it again when it is there: nothing is stored twice.'
const CATEGORIES = ['bug', 'crash', 'performance', 'ui_ux', 'security']

/** How each kind of export becomes submissions; `isDone`: the issue was closed in the other tracker. */
const SOURCES = {
  // gh issue list --state all --limit 100000 --json number,title,body,createdAt,state,labels,url
  github: (text) =>
    JSON.parse(text).map(({ title, body, createdAt, state, labels, url }) => ({
      submission: {
        title,
        description: body,
        category: CATEGORIES.find((category) => labels.some(({ name }) => name === category)),
        occurredAt: createdAt,
        submissionId: url,
        metadata: { source: url, labels: labels.map(({ name }) => name).join(', ') },
      },
      isDone: state === 'CLOSED',
    })),

  // GET /api/0/projects/{organization}/{project}/user-feedback/ of Sentry or GlitchTip. Names and email addresses are not transferred.
  sentry: (text) =>
    JSON.parse(text).map(({ id, eventID, comments, dateCreated, issue }) => ({
      submission: {
        title: comments.split('\n', 1)[0],
        description: comments,
        occurredAt: dateCreated,
        submissionId: `sentry-feedback-${id}`,
        metadata: {
          ...(eventID && { sentryEvent: eventID }),
          ...(issue?.shortId && { sentryIssue: issue.shortId }),
        },
      },
      isDone: issue?.status === 'resolved',
    })),

  // The first row has the names of the fields: id and title, and any of description, category, priority, platform, appVersion, occurredAt, done.
  csv: (text) => {
    const [names = [], ...rows] = readCsv(text)
    if (!names.includes('id') || !names.includes('title'))
      throw new Error('the first row must name id and title')
    return rows.map((cells) => {
      const { id, done, ...members } = Object.fromEntries(
        names.map((name, index) => [name, cells[index] || undefined]),
      )
      return { submission: { ...members, submissionId: `csv-${id}` }, isDone: done === 'true' }
    })
  },
}

const [kind = '', file = ''] = process.argv.slice(2)
if (!Object.hasOwn(SOURCES, kind) || file === '' || BUGLE_KEY === '')
  stop('BUGLE_KEY=bgl_sec_… node import-issues.mjs github|sentry|csv FILE', 2)
const counts = { stored: 0, 'already stored': 0, refused: 0, 'left open': 0 }
for (const { submission, isDone } of readExport()) {
  const answer = await call('POST', '/v1/issues', shorten(submission))
  // The next one would be refused too, and wrong keys are rate limited.
  if (answer.status === 401 || answer.status === 403) stop(`the key cannot submit: ${describe(answer)}`)
  if (!answer.ok) {
    counts.refused++
    say(`${submission.submissionId}: ${describe(answer)}`)
    continue
  }
  counts[answer.wasThere ? 'already stored' : 'stored']++
  const problem = isDone ? await close(answer.body.id) : undefined
  if (problem === undefined) continue
  counts['left open']++
  say(`${submission.submissionId}: stored, but not closed: ${problem}`)
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exitCode = counts.refused + counts['left open'] === 0 ? 0 : 1

function readExport() {
  try {
    return SOURCES[kind](readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code !== undefined) return stop(`${file} cannot be read: ${error.message}`)
    if (error instanceof SyntaxError) return stop(`${file} is no JSON: ${error.message}`)
    return stop(`${file} is not what "${kind}" expects: ${error.message}. See SOURCES in import-issues.mjs.`)
  }
}

/** Only if it has not been changed in Bugle: a second run must not undo later changes. Returns the reason if it cannot be closed. */
async function close(id) {
  const found = await call('GET', `/v1/issues/${id}`)
  // Without the scope security:read, an issue of the category security does not exist for the key.
  if (found.status === 404) return 'the key needs security:read to see it.'
  if (!found.ok) return describe(found)
  if (found.body.version !== 1) return undefined
  const closed = await call('PATCH', `/v1/issues/${id}`, {
    status: 'closed',
    note: 'Closed before the move.',
  })
  return closed.ok ? undefined : describe(closed)
}

/** The message of a refusal, with every invalid field. */
function describe({ body: { detail, errors = [] } }) {
  return [detail, ...errors.map((fault) => `${fault.pointer ?? fault.header ?? ''} ${fault.detail}`)].join(
    ' ',
  )
}

async function call(method, path, body) {
  const response = await fetch(BUGLE_URL + path, {
    method,
    headers: { authorization: `Bearer ${BUGLE_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) =>
    stop(`${BUGLE_URL} cannot be reached (${error.cause?.code ?? error.message}). ${AGAIN}`),
  )
  const { ok, status, headers } = response
  if (status === 429 || status === 503) {
    await sleep(1_000 * Number(headers.get('retry-after') ?? 5))
    return call(method, path, body)
  }
  const wasThere = headers.get('idempotency-replayed') === 'true'
  const answered = await response
    .json()
    .catch(() => stop(`${BUGLE_URL} responded with ${status} without JSON: is it a Bugle? ${AGAIN}`))
  return { ok, status, wasThere, body: answered }
}

function stop(sentence, code = 1) {
  say(sentence)
  process.exit(code)
}

/** Text of an export may contain terminal control sequences. */
function say(text) {
  process.stderr.write(`${text.replaceAll(/\p{C}/gu, '\ufffd')}\n`)
}

function shorten(submission) {
  const cut = (text, most) => text && [...text].slice(0, most).join('')
  const { title, description } = submission
  return {
    ...submission,
    title: cut(title, MAX_TITLE_CHARS),
    description: cut(description, MAX_DESCRIPTION_CHARS),
  }
}

/** Rows of cells, as in RFC 4180: a quoted cell may contain commas, line breaks and doubled quotes. */
function readCsv(text) {
  const rows = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}
