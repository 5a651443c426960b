// Reads an export of another tracker and submits it to Bugle. It may be run again: what is there already is not stored twice.
//   BUGLE_KEY=bgl_sec_… node import-issues.mjs github|sentry|csv FILE
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const { BUGLE_URL = 'http://127.0.0.1:4000', BUGLE_KEY = '' } = process.env
const MAX_TITLE_CHARS = 256
const MAX_DESCRIPTION_CHARS = 32_768
const CATEGORIES = ['bug', 'crash', 'performance', 'ui_ux', 'security']

/** How each kind of export becomes submissions; `isDone` says that the issue was closed over there. */
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

  // GET /api/0/projects/{organization}/{project}/user-feedback/ of Sentry or GlitchTip. Names and addresses of people stay there.
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

  // A first row with the names of members: id and title, and any of description, category, priority, platform, appVersion, occurredAt, done.
  csv: (text) => {
    const [names, ...rows] = readCsv(text)
    return rows.map((cells) => {
      const { id, done, ...members } = Object.fromEntries(
        names.map((name, index) => [name, cells[index] || undefined]),
      )
      return { submission: { ...members, submissionId: `csv-${id}` }, isDone: done === 'true' }
    })
  },
}

const [kind = '', file = ''] = process.argv.slice(2)
if (!(kind in SOURCES) || file === '' || BUGLE_KEY === '') {
  process.stderr.write('BUGLE_KEY=bgl_sec_… node import-issues.mjs github|sentry|csv FILE\n')
  process.exit(2)
}
const counts = { stored: 0, 'there already': 0, refused: 0 }
for (const { submission, isDone } of SOURCES[kind](readFileSync(file, 'utf8'))) {
  const answer = await call('POST', '/v1/issues', shorten(submission))
  if (!answer.ok) {
    counts.refused++
    process.stderr.write(`${submission.submissionId}: ${answer.body.detail}\n`)
    continue
  }
  counts[answer.wasThere ? 'there already' : 'stored']++
  if (isDone) await close(answer.body.id)
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exitCode = counts.refused === 0 ? 0 : 1

/** Only while nobody has touched it here: a second run must not undo what people did since. */
async function close(id) {
  const { body } = await call('GET', `/v1/issues/${id}`)
  if (body.version === 1)
    await call('PATCH', `/v1/issues/${id}`, { status: 'closed', note: 'Closed before the move.' })
}

async function call(method, path, body) {
  const response = await fetch(BUGLE_URL + path, {
    method,
    headers: { authorization: `Bearer ${BUGLE_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status === 429 || response.status === 503) {
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 5))
    return call(method, path, body)
  }
  const wasThere = response.headers.get('idempotency-replayed') === 'true'
  return { ok: response.ok, wasThere, body: await response.json() }
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

/** Rows of cells, as RFC 4180 has them: a cell in quotes may hold commas, line breaks and doubled quotes. */
function readCsv(text) {
  const rows = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}
