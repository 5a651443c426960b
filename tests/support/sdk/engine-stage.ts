import { afterAll, beforeAll } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../packages/server/test-support/start-app.ts'
import { type BuiltPackage, buildPackage } from './built-package.ts'
import type { Engine } from './engines.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type Site, startSite } from './site.ts'

/** What the tests of one engine share. Available from the first test on. */
export interface EngineStage {
  readonly site: Site
  readonly app: TestApp
  readonly engine: Engine
  setScene(): Promise<EngineScene>
}

/** What each test has for itself. */
export interface EngineScene extends AsyncDisposable {
  readonly app: TestApp
  readonly project: TestProject
  readonly gateway: Gateway
  /** The options of `init`, as a text. */
  readonly options: string
  issues(): Promise<readonly Record<string, unknown>[]>
}

/** Sets the stage for a group of tests in one engine. */
export function setEngineStage(start: () => Promise<Engine>): EngineStage {
  let built: BuiltPackage
  let site: Site
  let app: TestApp
  let engine: Engine
  beforeAll(async () => {
    built = await buildPackage()
    site = await startSite(built.sdk)
    app = await startApp()
    engine = await start()
  })
  afterAll(async () => {
    await engine.close()
    await site[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
    built[Symbol.dispose]()
  })

  return {
    get site() {
      return site
    },
    get app() {
      return app
    },
    get engine() {
      return engine
    },
    async setScene() {
      const project = await app.addProject()
      const gateway = await startGateway(app.url)
      return {
        app,
        project,
        gateway,
        options: JSON.stringify({ endpoint: gateway.url, publicKey: project.publicKey }),
        async issues() {
          const { body } = await app.send('GET', '/v1/issues?pageSize=100', { key: project.secretKey })
          return body.data
        },
        [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
      }
    },
  }
}
