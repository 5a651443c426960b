import pg from 'pg'
import { startPostgres } from './test-support/start-postgres.ts'
import { openPostgresStorage } from './src/storage/postgres/postgres-storage.ts'
import { makeProject } from './src/domain/projects.ts'
import { normaliseSubmission } from './src/domain/report-content.ts'
import { mintId, ordinalOf } from './src/ids.ts'
const server = await startPostgres()
const storage = await openPostgresStorage(server.url)
const project = makeProject({ slug: 'a', name: 'a', isPublic: false, defaultBranch: 'main', createdAt: Date.now() })
await storage.projects.create(project)
let n = 0
const report = () => { n++; return { projectId: project.id, issueId: mintId('iss', Date.now(), ordinalOf(project.id)), receivedAt: Date.now(), actor: null, submission: null, content: normaliseSubmission({ title: 'Settings screen stays blank after ' + n, description: 'the app crash screen button ' + (n % 2 ? 'loginx' : 'other') + ' word' + (n % 40), appVersion: '1.0.' + (n % 40), platform: n % 100 ? 'ios' : 'tvos', category: n % 10 ? 'bug' : 'security' }) } }
for (let i = 0; i < 25; i++) await Promise.all(Array.from({ length: 4000 }, () => storage.issues.submit(report())))
const c = new pg.Client({ connectionString: server.url }); await c.connect()
if (process.argv[2] === 'analyze') await c.query('ANALYZE')
const sel = { projectId: project.id, lanes: ['open'], statuses: null, categories: null, priorities: null, platforms: null, appVersions: null, branches: null, createdAfter: null, createdBefore: null, search: null }
const { planList } = await import('./src/storage/sql/list-plans.ts')
const { DIALECT } = await import('./src/storage/postgres/issue-lists.ts')
const { numbered } = await import('./src/storage/postgres/connection.ts')
const { parseSearch } = await import('./src/domain/search/search-query.ts')
await c.query('SET enable_seqscan=off; SET jit=off')
for (const [label, listing] of Object.entries({
  rare: { selection: { ...sel, platforms: ['toaster'] }, sort: 'newest', start: { offset: 0 }, limit: 25 },
  rareUpdated: { selection: { ...sel, lanes: ['open', 'security'], platforms: ['toaster'] }, sort: 'updated', start: { offset: 0 }, limit: 25 },
  big: { selection: sel, sort: 'newest', start: { offset: 0 }, limit: 2000 },
  common: { selection: { ...sel, search: parseSearch('loginx') }, sort: 'newest', start: { offset: 0 }, limit: 25 },
  commonSorted: { selection: { ...sel, search: parseSearch('loginx') }, sort: 'priority', start: { offset: 0 }, limit: 25 },
  mid: { selection: { ...sel, search: parseSearch('word7') }, sort: 'newest', start: { offset: 0 }, limit: 25 },
  phrase: { selection: { ...sel, search: parseSearch('"crash screen button loginx"') }, sort: 'newest', start: { offset: 0 }, limit: 25 },
  prefix: { selection: { ...sel, search: parseSearch('word1*') }, sort: 'newest', start: { offset: 0 }, limit: 25 },
})) {
  const plan = planList(DIALECT, 1, listing as any, 0)
  const q = numbered(plan.query.text, plan.query.values)
  const t = performance.now(); await storage.issues.list(listing as any); const t1 = performance.now(); await storage.issues.list(listing as any); const t2 = performance.now()
  console.log('\n###', label, (t1 - t).toFixed(1), (t2 - t1).toFixed(1), 'ms; count', await storage.issues.count(listing.selection as any), (performance.now() - t2).toFixed(1))
  const r = await c.query({ text: 'EXPLAIN (ANALYZE, BUFFERS OFF, COSTS ON, TIMING OFF) ' + q.text, values: q.values as any })
  console.log(r.rows.map((x) => x['QUERY PLAN']).join('\n'))
}
await c.end(); await storage.close(); await server.stop()
