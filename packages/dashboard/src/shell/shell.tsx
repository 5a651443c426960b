import { ActionIcon } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Overlays } from '../keyboard/overlays.tsx'
import { LiveProject } from '../live/live.tsx'
import { Icon } from '../ui/icons/icons.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ProjectContext, useCurrentProject } from './current-project.ts'
import { GlobalCommands } from './global-commands.tsx'
import { lazyPart } from './lazy-part.ts'
import { RecentSignIn } from './recent-sign-in/recent-sign-in.tsx'
import classes from './shell.module.css'
import { ProjectSwitcher } from './sidebar/project-switcher.tsx'
import { Sidebar } from './sidebar/sidebar.tsx'

const MenuDrawer = lazyPart(() => import('./sidebar/menu-drawer.tsx'), 'MenuDrawer')

/** The frame around every page of a person who is signed in. */
export function Shell() {
  const project = useCurrentProject()
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [isMenuOpen, menu] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page has changed
  useEffect(menu.close, [path])

  return (
    <ProjectContext value={project}>
      <LiveProject projectId={project?.id}>
        <a href="#main" className={classes['skip']}>
          Skip to content
        </a>
        <div className={classes['shell']}>
          <header className={classes['side']}>
            {isNarrow ? (
              <div className={classes['bar']}>
                <ActionIcon variant="subtle" size="lg" aria-label="Menu" onClick={menu.open}>
                  <Icon name="menu" />
                </ActionIcon>
                <ProjectSwitcher project={project} />
              </div>
            ) : (
              <Sidebar project={project} />
            )}
          </header>
          <main id="main" tabIndex={-1} className={classes['main']}>
            <ConnectionBanner />
            <div className={classes['page']}>
              <Suspense>
                <Outlet />
              </Suspense>
            </div>
          </main>
        </div>
        {isNarrow && isMenuOpen && (
          <Suspense>
            <MenuDrawer project={project} onClose={menu.close} />
          </Suspense>
        )}
        <GlobalCommands project={project} />
        <Overlays />
        <RecentSignIn />
      </LiveProject>
    </ProjectContext>
  )
}
