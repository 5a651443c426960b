import { useEffect, useState } from 'react'
import { useLiveState } from '../live/live.tsx'
import { Icon } from '../ui/icons/icons.tsx'
import classes from './connection-banner.module.css'

/** A short interruption is not shown: the stream resumes where it stopped. */
const PATIENCE_MS = 4_000

/** Tells the user that the server cannot be reached and that the page reconnects automatically. */
export function ConnectionBanner() {
  const isOffline = useLiveState() === 'offline'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isOffline) return
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isOffline])
  return (
    <div role="status">
      {isShown && (
        <div className={classes['banner']}>
          <Icon name="offline" />
          Not connected to the server. This page may be out of date; it reconnects automatically.
        </div>
      )}
    </div>
  )
}
