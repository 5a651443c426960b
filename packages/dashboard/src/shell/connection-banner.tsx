import { useEffect, useState } from 'react'
import { useLiveState } from '../live/live.tsx'
import { Icon } from '../ui/icons/icons.tsx'
import classes from './connection-banner.module.css'

/** A short cut is nothing to speak of: the stream goes on where it was. */
const PATIENCE_MS = 4_000

/** Says that the server is not there, and that the page goes on by itself once it is. */
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
