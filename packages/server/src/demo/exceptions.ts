import type { SubmittedException, SubmittedFrame } from '@bugle/contract'

type Exceptions = readonly SubmittedException[]

const UNHANDLED = { type: 'onerror', handled: false }

/** A call in the app's own code. */
function own(name: string, file: string, line: number, more: Partial<SubmittedFrame> = {}): SubmittedFrame {
  return { function: name, file, line, inApp: true, ...more }
}

function library(name: string, file: string, line: number): SubmittedFrame {
  return { function: name, file, line, inApp: false }
}

/** Swift. */
export const EMPTY_CACHE: Exceptions = [
  {
    type: 'EXC_BREAKPOINT',
    value: 'Unexpectedly found nil while unwrapping an Optional value',
    mechanism: { type: 'signal', handled: false },
    frames: [
      own('{store}.load', 'store.swift', 212),
      own('{store}.warmUp', 'store.swift', 88),
      own('Launch.run', 'launch.swift', 41),
      library('UIApplicationMain', 'UIKitCore', 1_204),
      library('start', 'dyld', 6_040),
    ],
  },
]

/** Kotlin. */
export const CLOSED_DATABASE: Exceptions = [
  {
    type: 'java.lang.IllegalStateException',
    value: 'attempt to re-open an already-closed database',
    mechanism: { type: 'UncaughtExceptionHandler', handled: false },
    frames: [
      library('acquireReference', 'SQLiteClosable.java', 58),
      own('query', '{store}.kt', 134, { module: 'app.larder.data.{store}' }),
      own('doWork', 'SyncWorker.kt', 57, { module: 'app.larder.sync.SyncWorker' }),
      library('runWorker', 'ThreadPoolExecutor.java', 1_145),
      library('run', 'Thread.java', 1_012),
    ],
  },
  {
    type: 'kotlinx.coroutines.JobCancellationException',
    value: 'Job was cancelled',
    frames: [
      own('onDestroy', 'LarderActivity.kt', 91, { module: 'app.larder.ui.LarderActivity' }),
      library('performDestroy', 'Activity.java', 8_571),
    ],
  },
]

/** JavaScript, with source lines. */
export const NO_QUANTITY: Exceptions = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'quantity')",
    mechanism: UNHANDLED,
    frames: [
      own('scaleServings', 'servings.js', 31, {
        column: 27,
        context: {
          before: [
            'export function scaleServings(recipe, people) {',
            '  return recipe.items.map((item) => {',
          ],
          line: '    const amount = item.food.quantity * people / recipe.servings',
          after: ['    return { ...item, amount: roundForKitchen(amount) }', '  })'],
        },
      }),
      own('{screen}', 'screens.js', 402, {
        column: 12,
        context: {
          before: ['  const { recipe, people } = useRecipe()'],
          line: '  const items = scaleServings(recipe, people)',
          after: ['  return h(ItemList, { items })'],
        },
      }),
      library('renderTree', 'node_modules/view/dist/view.js', 1_180),
      library('flush', 'node_modules/view/dist/view.js', 212),
    ],
  },
]

/** JavaScript, a promise without a handler. */
export const SHARE_SHEET_CLOSED: Exceptions = [
  {
    type: 'NotAllowedError',
    value: 'The share sheet was closed.',
    mechanism: { type: 'onunhandledrejection', handled: false },
    frames: [
      own('shareList', 'share.js', 77, {
        column: 5,
        context: {
          before: ['async function shareList(list) {'],
          line: '  await navigator.share({ title: list.name, url: linkTo(list) })',
          after: ["  track('shared')", '}'],
        },
      }),
    ],
  },
]

/** Rust. */
export const NO_SERVINGS: Exceptions = [
  {
    type: 'panic',
    value: 'attempt to divide by zero',
    mechanism: { type: 'panic', handled: false },
    frames: [
      library('core::panicking::panic', 'panicking.rs', 150),
      own('larder_core::recipe::scale', 'recipe.rs', 61),
      own('larder_core::plan::week', 'plan.rs', 208),
    ],
  },
]
