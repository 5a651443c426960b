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
const report = () => { n++; return { projectId: project.id, issueId: mintId('iss', Date.now(), ordinalOf(project.id)), receivedAt: Date.now(), actor: null, lanes: ['open'], submission: null, content: normaliseSubmission({ title: 'Settings screen stays blank after ' + n, fingerprint: n % 2 ? 'f' + n % 20 : null }) } }
const rs = []
for (let i = 0; i < 1000; i++) { const r = report(); const o = await storage.issues.submit(r); if (o.kind === 'stored') rs.push(r.issueId) }
const t0 = performance.now()
const issues = []
for (const id of rs) issues.push(await storage.issues.find(project.id, id))
const t1 = performance.now()
for (const i of issues) await storage.issues.listEvents(i, 0, 1000)
const t2 = performance.now()
for (const i of issues) await storage.issues.listReports(i, 1e9, 1000)
const t3 = performance.now()
console.log(rs.length, 'find', (t1 - t0) / rs.length, 'events', (t2 - t1) / rs.length, 'reports', (t3 - t2) / rs.length)
await storage.close(); await server.stop()
