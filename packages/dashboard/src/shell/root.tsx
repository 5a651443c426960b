import { Outlet } from '@tanstack/react-router'
import { Announcer } from '../ui/feedback/announce.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { NavigationProgress } from './navigation-progress.tsx'

/** The parts that every page has, with or without a session. */
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
