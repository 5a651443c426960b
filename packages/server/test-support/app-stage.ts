import { afterAll, beforeAll } from 'vitest'
import { startApp, type TestApp, type TestProject } from './start-app.ts'
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts'

/** An app with a project and a clock that stands still, for all tests of a file. */
export function setAppStage({ isOnDisk = false } = {}) {
  let api: TestApp
  let project: TestProject
  let now = Date.UTC(2026, 10, 15, 9)
  let database: TemporaryDatabase | undefined

  beforeAll(async () => {
    database = isOnDisk ? await temporaryDatabase() : undefined
    api = await startApp({ clock: () => now, ...(database && { databaseUrl: database.url }) })
    project = await api.addProject()
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  return {
    get api() {
      return api
    },
    get project() {
      return project
    },
    get now() {
      return now
    },
    pass(ms: number): void {
      now += ms
    },
  }
}
