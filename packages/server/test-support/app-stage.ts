import { afterAll, beforeAll } from 'vitest'
import type { Intervals } from '../src/intervals.ts'
import { openInspection } from '../src/storage/open-storage.ts'
import { startApp, type TestApp, type TestProject } from './start-app.ts'
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts'

export interface StageOptions {
  readonly isOnDisk?: boolean
  readonly intervals?: Partial<Intervals>
  readonly environment?: Readonly<Record<string, string>>
}

/** An app with a project and a stopped clock, for all tests of a file. */
export function setAppStage({ isOnDisk = false, intervals, environment }: StageOptions = {}) {
  let api: TestApp
  let project: TestProject
  let now = Date.UTC(2026, 10, 15, 9)
  let database: TemporaryDatabase | undefined

  beforeAll(async () => {
    database = isOnDisk ? await temporaryDatabase() : undefined
    api = await startApp({
      clock: () => now,
      ...(intervals && { intervals }),
      ...(environment && { environment }),
      ...(database && { databaseUrl: database.url }),
    })
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
    /** What is wrong with the database, if it is on disk. */
    async findFaults(): Promise<readonly string[]> {
      await using inspection = await openInspection(database?.url ?? '')
      return (await inspection.audit()).faults
    },
    get now() {
      return now
    },
    pass(ms: number): void {
      now += ms
    },
  }
}
