import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startPostgres } from '../../../test-support/start-postgres.ts'
import { NOW, projectOf, reportFor } from '../../../test-support/storage-stage.ts'
import { openPostgresStorage } from './postgres-storage.ts'

/** A server that logs every statement with its values. */
const LOGGING = [
  'log_statement=all',
  'log_min_duration_statement=0',
  'log_parameter_max_length=-1',
  'logging_collector=on',
  'log_filename=statements',
  'log_rotation_age=0',
  'log_rotation_size=0',
]

it('what people type is not in the log of a server that logs every statement', async () => {
  const server = await startPostgres({ settings: LOGGING })
  const log = () => readFileSync(join(server.dataFolder, 'log', 'statements'), 'utf8')
  const storage = await openPostgresStorage(server.url)
  try {
    const project = projectOf('weather')
    await storage.projects.create(project)
    const report = reportFor(project)
    await storage.issues.submit(report)
    const by = { lanes: ['open'] as const, ifVersions: null, actor: null, at: NOW }
    const patch = { known: { title: 'Okapi is missing' } }
    await storage.issues.change({ projectId: project.id, issueId: report.issueId, patch, ...by })
    expect(await storage.knownIssues.search(project.id, 'okapi missing quagga', 3)).toHaveLength(1)
    // Written after the search.
    await storage.projects.find('the-end-of-the-search')
    await expect.poll(log).toContain('the-end-of-the-search')
    expect(log()).toContain('Okapi is missing')
    expect(log()).not.toContain('quagga')
  } finally {
    await storage.close()
    await server.stop()
  }
})
