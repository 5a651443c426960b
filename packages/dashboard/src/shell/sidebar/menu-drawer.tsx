import type { Project } from '@bugle/contract'
import { Drawer } from '@mantine/core'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import classes from './menu-drawer.module.css'
import { Sidebar } from './sidebar.tsx'

interface MenuDrawerProps {
  readonly project: Project | undefined
  readonly onClose: () => void
}

/** The sidebar on narrow screens. */
export function MenuDrawer({ project, onClose }: MenuDrawerProps) {
  useFocusReturn()
  return (
    <Drawer.Root opened onClose={onClose} size={280} returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body className={classes['body'] ?? ''}>
          <Sidebar project={project} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
