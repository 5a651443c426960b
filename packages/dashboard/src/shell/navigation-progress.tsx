import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import classes from './navigation-progress.module.css'

/** Most pages load faster than this. */
const PATIENCE_MS = 250

/** A bar at the top while the next page is loading. */
export function NavigationProgress() {
  const isUnderWay = useRouterState({ select: ({ status }) => status === 'pending' })
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isUnderWay])
  return isShown && <div role="progressbar" aria-label="Loading page" className={classes['bar']} />
}
