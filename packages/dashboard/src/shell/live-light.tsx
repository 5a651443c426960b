import { useLiveState } from '../live/live.tsx'
import type { StreamState } from '../live/stream.ts'
import classes from './live-light.module.css'

const WORDS: Readonly<Record<StreamState, { readonly name: string; readonly meaning: string }>> = {
  connecting: { name: 'Connecting', meaning: 'Connecting to the live stream' },
  live: { name: 'Live', meaning: 'New reports and changes appear as they happen' },
  offline: { name: 'Offline', meaning: 'Not connected: this page may be out of date' },
}

/** Shows whether the page is up to date. */
export function LiveLight() {
  const state = useLiveState()
  const { name, meaning } = WORDS[state]
  return (
    <span className={classes['light']} data-state={state} title={meaning}>
      {name}
    </span>
  )
}
