import { Button, CloseButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { announce } from './announce.tsx'
import classes from './toasts.module.css'

const SHOWN_MS = 6_000
const MAX_SHOWN = 3

interface Toast {
  readonly id: number
  readonly tone: 'plain' | 'danger'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Tells what has happened, for a few seconds; a failure stays until it is closed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId
  // The last thing that went well is enough; what failed waits to be read.
  const others = toast.tone === 'plain' ? toasts.filter(({ tone }) => tone === 'danger') : toasts
  change([...others, { ...toast, id }].slice(-MAX_SHOWN))
  announce(toast.text)
  if (toast.tone === 'plain') setTimeout(() => dismiss(id), SHOWN_MS)
}

/** What can be done about the latest of them, if anything can. */
export function useToastAction(): Toast['action'] {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const toast = shown.findLast(({ action }) => action !== undefined)
  if (toast?.action === undefined) return undefined
  return { label: toast.action.label, run: () => runAction(toast) }
}

/** The toasts. Once on the page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className={classes['toasts']} aria-label="Notifications">
      {shown.map((toast) => (
        <div key={toast.id} className={classes['toast']} data-tone={toast.tone}>
          <span className={classes['text']}>{toast.text}</span>
          {toast.action !== undefined && (
            <Button size="compact-sm" variant="subtle" onClick={() => runAction(toast)}>
              {toast.action.label}
            </Button>
          )}
          <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </section>
  )
}

function runAction({ id, action }: Toast): void {
  dismiss(id)
  action?.run()
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
