import { captureException } from './core/crash/capture-exception.ts'
import type { ExceptionHint } from './core/types.ts'

/** The part of a Vue app that the plugin uses. */
interface VueApp {
  readonly config: { errorHandler?: unknown }
}

/** A Vue plugin that reports errors of components: `createApp(App).use(reportErrors)`. The second argument of `use` is added to reports. */
export const reportErrors: { install(app: VueApp, hint?: ExceptionHint): void } = {
  install({ config }, hint = {}) {
    const before = config.errorHandler
    config.errorHandler = (error: unknown, instance: unknown, place: string): void => {
      void captureException(error, { ...hint, metadata: { ...hint.metadata, place } })
      if (typeof before === 'function') before(error, instance, place)
      // biome-ignore lint/suspicious/noConsole: Vue prints errors only if there is no handler
      else console.error(error)
    }
  },
}
