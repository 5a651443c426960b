import { Outlet } from '@tanstack/react-router'
import { Announcer } from '../ui/feedback/announce.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { NavigationProgress } from './navigation-progress.tsx'

/** What every page has, also for those who are not signed in. */
export function Root() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <Toasts />
      <Announcer />
    </>
  )
}
