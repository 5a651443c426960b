import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import classes from './navigation-progress.module.css'

/** Most pages are there before anyone would notice. */
const PATIENCE_MS = 250

/** A bar at the top while the next page is on its way. */
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
  return isShown && <div role="progressbar" aria-label="Loading the page" className={classes['bar']} />
}
