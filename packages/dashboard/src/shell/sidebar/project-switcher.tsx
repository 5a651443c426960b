import type { Project } from '@bugle/contract'
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../ui/icons/icons.tsx'
import { MenuButton } from '../../ui/menu/menu-button.tsx'
import classes from './project-switcher.module.css'

const loadOptions = () => import('./project-options.tsx').then(({ ProjectOptions }) => ProjectOptions)

/** The current project, and the others to switch to. */
export function ProjectSwitcher({ project }: { readonly project: Project | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const name = project?.name ?? 'Choose a project'
  return (
    <MenuButton
      opens="menu"
      isOpen={isOpen}
      onOpen={setOpen}
      load={loadOptions}
      options={{ project }}
      button={
        <UnstyledButton className={classes['button'] ?? ''} aria-label={`Project: ${name}`}>
          <span
            className={classes['letter']}
            data-letter={project === undefined ? '?' : [...project.name][0]}
          />
          <span className={classes['name']}>{name}</span>
          <Icon name="chevron" />
        </UnstyledButton>
      }
    />
  )
}
