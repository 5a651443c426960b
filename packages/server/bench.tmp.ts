import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
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
const report = (fp = false) => { n++; return { projectId: project.id, issueId: mintId('iss', Date.now(), ordinalOf(project.id)), receivedAt: Date.now(), actor: null, submission: { id: `s${n}`, contentHash: new Uint8Array(16).fill(n) }, content: normaliseSubmission({ title: 'Settings screen stays blank after ' + n, description: 'When I open the settings and then go back, the screen stays blank until the app is restarted. I tried it many times with different accounts.', appVersion: '2.4.1', platform: 'ios', osVersion: 'iOS 26.1', sdk: { name: '@bugle/sdk', version: '0.1.0' }, ...(fp && { fingerprint: 'f' + (n % 10) }) }) } }
const pgCpu = () => spawnSync('sh', ['-c', "cat /proc/[0-9]*/stat 2>/dev/null | grep '(postgres)' | awk '{s+=$14+$15+$16+$17} END {print s*10}'"], { encoding: 'utf8' }).stdout.trim()
async function run(label, count, concurrency, make) {
  for (let i = 0; i < 50; i++) await make()
  const cpu = process.cpuUsage(), pg0 = Number(pgCpu()), t = performance.now()
  let left = count
  await Promise.all(Array.from({ length: concurrency }, async () => { while (left-- > 0) await make() }))
  const ms = performance.now() - t, u = process.cpuUsage(cpu), pg = Number(pgCpu()) - pg0
  console.log(label, `c=${concurrency}`, `${(count / ms * 1000).toFixed(0)}/s`, `node cpu ${((u.user + u.system) / count).toFixed(0)}us`, `pg cpu ${(pg * 1000 / count).toFixed(0)}us`, `latency ${(ms * concurrency / count).toFixed(2)}ms`)
}
const ids = []
await run('submit', 500, 1, async () => { const r = report(); const o = await storage.issues.submit(r); ids.push(r.issueId) })
await run('submit', 20000, 64, () => storage.issues.submit(report()))
await run('submit', 40000, 512, () => storage.issues.submit(report()))
await run('joined', 10000, 256, () => storage.issues.submit(report(true)))
await run('joined', 300, 1, () => storage.issues.submit(report(true)))
let k = 0
await run('change', 300, 1, () => storage.issues.change({ projectId: project.id, issueId: ids[k++ % ids.length], lanes: ['open'], patch: { title: 'new ' + k }, ifVersions: null, actor: null, at: Date.now() }))
await run('find', 3000, 1, () => storage.issues.find(project.id, ids[k++ % ids.length]))
await run('find', 10000, 16, () => storage.issues.find(project.id, ids[k++ % ids.length]))
await run('stats', 300, 1, () => storage.stats.read(project.id, ['open']))
const sel = { projectId: project.id, lanes: ['open'], statuses: null, categories: null, priorities: null, platforms: null, appVersions: null, branches: null, createdAfter: null, createdBefore: null, search: null }
await run('list', 300, 1, () => storage.issues.list({ selection: sel, sort: 'newest', start: { offset: 0 }, limit: 25 }))
await run('events', 300, 1, () => storage.issues.listReports({ ...({} as any), projectId: project.id, issueNumber: 1, createdAt: 1 }, 100, 100))
await storage.close(); await server.stop()
