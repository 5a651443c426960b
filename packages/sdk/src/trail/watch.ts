import { listen } from '../browser/platform.ts'
import { guard } from '../core/guard.ts'
import { addressOf } from './scrub-step.ts'
import type { StepKind } from './steps.ts'

/** Requests that take this long are steps, although they succeed. */
const SLOW_MS = 3_000
const MAX_PATH_ELEMENTS = 4
/** A name that a build or a framework has not made up from data. */
const PLAIN_NAME = /^[a-z][a-z-]{0,30}$/i

type Add = (kind: StepKind, text: string) => void

/** Records what happens in the page. Nothing that a person enters is ever read. Returns a function that stops it. */
export function watchPage(add: Add, isOwn: (address: string) => boolean): () => void {
  const note = guard(add)
  const stops = [
    watchClicks(note),
    watchNavigation(note),
    watchConsole(note),
    watchFetch(note, isOwn),
    watchXhr(note, isOwn),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function watchClicks(add: Add): () => void {
  return listen(
    ['click'],
    guard((event: Event) => {
      if (event.target instanceof Element) add('click', pathOf(event.target))
    }),
  )
}

/** The element and those around it, by their tags and plain names. Texts and values may be personal, and are never read. */
function pathOf(element: Element): string {
  if (element.closest('[data-bugle-mask]')) return 'masked element'
  const names: string[] = []
  for (let at: Element | null = element; at && names.length < MAX_PATH_ELEMENTS; at = at.parentElement) {
    const role = at.getAttribute('role') ?? ''
    const id = PLAIN_NAME.test(at.id) ? `#${at.id}` : ''
    names.unshift(at.localName.slice(0, 40) + id + (PLAIN_NAME.test(role) ? `[role=${role}]` : ''))
  }
  return names.join(' > ')
}

function watchNavigation(add: Add): () => void {
  let last = addressOf(location.href)
  add('navigation', last)
  const check = guard(() => {
    const address = addressOf(location.href)
    if (address !== last) add('navigation', address)
    last = address
  })
  const unlisten = listen(['popstate', 'hashchange', 'pageshow'], check)
  const undo = (['pushState', 'replaceState'] as const).map((name) =>
    wrap(
      history,
      name,
      (original) =>
        function (this: History, ...args) {
          original.apply(this, args)
          check()
        },
    ),
  )
  return () => {
    unlisten()
    for (const each of undo) each()
  }
}

function watchConsole(add: Add): () => void {
  const undo = (['warn', 'error'] as const).map((level) =>
    wrap(
      console,
      level,
      (original) =>
        function (this: Console, ...args: unknown[]) {
          guard(() => add('console', `${level}: ${args.map(textOf).join(' ')}`))()
          original.apply(this, args)
        },
    ),
  )
  return () => {
    for (const each of undo) each()
  }
}

/** Objects may contain anything, so only their type is recorded. */
function textOf(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return Object(value) === value ? Object.prototype.toString.call(value) : String(value)
}

function watchFetch(add: Add, isOwn: (address: string) => boolean): () => void {
  return wrap(
    globalThis,
    'fetch',
    (original) =>
      async function (this: unknown, ...args: Parameters<typeof fetch>) {
        const [target, options] = args
        const started = performance.now()
        const address = target instanceof Request ? target.url : String(target)
        const method = options?.method ?? (target instanceof Request ? target.method : 'GET')
        const finish = (status: number) => noteRequest(add, isOwn, { method, address, status, started })
        try {
          const response = await original.apply(this as typeof globalThis, args)
          finish(response.status)
          return response
        } catch (error) {
          finish(0)
          throw error
        }
      },
  )
}

function watchXhr(add: Add, isOwn: (address: string) => boolean): () => void {
  const requests = new WeakMap<XMLHttpRequest, { method: string; address: string; started: number }>()
  const prototype = globalThis.XMLHttpRequest?.prototype
  if (!prototype) return () => {}
  const undoOpen = wrap(
    prototype,
    'open',
    (original) =>
      function (this: XMLHttpRequest, method: string, address: string | URL, ...rest: unknown[]) {
        // Not when it is sent: the step comes before what the app does with the response.
        if (!requests.has(this))
          this.addEventListener('loadend', () => {
            const request = requests.get(this)
            if (request) noteRequest(add, isOwn, { ...request, status: this.status })
          })
        requests.set(this, { method, address: String(address), started: performance.now() })
        return (original as (...args: unknown[]) => void).call(this, method, address, ...rest)
      },
  )
  const undoSend = wrap(
    prototype,
    'send',
    (original) =>
      function (this: XMLHttpRequest, ...args) {
        const request = requests.get(this)
        if (request) request.started = performance.now()
        return original.apply(this, args)
      },
  )
  return () => {
    undoOpen()
    undoSend()
  }
}

interface FinishedRequest {
  readonly method: string
  readonly address: string
  /** 0 if there was no response. */
  readonly status: number
  readonly started: number
}

/** Only requests that failed or were slow. Neither query nor headers nor bodies are recorded. */
const noteRequest = guard(
  (add: Add, isOwn: (address: string) => boolean, { method, address, status, started }: FinishedRequest) => {
    const milliseconds = Math.round(performance.now() - started)
    const { href } = new URL(address, location.href)
    if (isOwn(href) || (status > 0 && status < 400 && milliseconds < SLOW_MS)) return
    add('request', `${method.toUpperCase()} ${addressOf(href)} ${status || 'failed'} ${milliseconds} ms`)
  },
)

/** Replaces a method. The returned function restores it, unless other code has replaced it meanwhile. */
function wrap<T extends object, K extends keyof T>(
  target: T,
  name: K,
  create: (original: T[K]) => T[K],
): () => void {
  const original = target[name]
  const replacement = create(original)
  target[name] = replacement
  return () => {
    if (target[name] === replacement) target[name] = original
  }
}
