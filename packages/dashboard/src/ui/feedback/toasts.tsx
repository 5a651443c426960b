import { Button, CloseButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { announce } from './announce.tsx'
import classes from './toasts.module.css'
import { type Undoable, undoChange, undoEverything, useUndoables } from './undo.ts'

const SHOWN_MS = 6_000
const MAX_SHOWN = 3

interface Toast {
  readonly id: number
  readonly tone: 'plain' | 'danger'
  readonly text: string
  /** The change, if it can be undone. */
  readonly undoable?: Undoable
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message for a few seconds; an error stays until it is dismissed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId
  // Only the latest success is shown; errors stay until they are read.
  const others = toast.tone === 'plain' ? toasts.filter(({ tone }) => tone === 'danger') : toasts
  change([...others, { ...toast, id }].slice(-MAX_SHOWN))
  announce(toast.text)
  if (toast.tone === 'plain') setTimeout(() => dismiss(id), SHOWN_MS)
}

/** The toasts. Once on the page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const undoables = useUndoables()
  return (
    <section className={classes['toasts']} aria-label="Notifications">
      {shown.map((toast) => (
        <div key={toast.id} className={classes['toast']} data-tone={toast.tone}>
          <span className={classes['text']}>{toast.text}</span>
          {toast.undoable !== undefined && undoables.includes(toast.undoable) && (
            <Button size="compact-sm" variant="subtle" onClick={() => undo(toast)}>
              Undo
            </Button>
          )}
          {toast.undoable !== undefined && undoables.length > 1 && (
            <Button size="compact-sm" variant="subtle" onClick={() => void undoEverything()}>
              Undo all {undoables.length}
            </Button>
          )}
          <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </section>
  )
}

function undo({ id, undoable }: Toast): void {
  dismiss(id)
  if (undoable !== undefined) void undoChange(undoable)
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
