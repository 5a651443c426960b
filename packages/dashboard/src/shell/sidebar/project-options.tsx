import type { Project } from '@bugle/contract'
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/icons/icons.tsx'
import type { MenuProps } from '../../ui/menu/menu-button.tsx'
import { useProjects } from '../current-project.ts'
import { EVERYWHERE_SEARCH, INBOX_SEARCH } from '../inbox-address.ts'
import classes from './project-switcher.module.css'

interface ProjectOptionsProps extends MenuProps {
  readonly project: Project | undefined
}

export function ProjectOptions({ project, button, ...menu }: ProjectOptionsProps) {
  const projects = useProjects()
  const navigate = useNavigate()
  return (
    <Menu {...menu} position="bottom-start" width={216}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''}>
        {projects.length > 1 && (
          <Menu.Item onClick={() => navigate({ to: '/issues', search: EVERYWHERE_SEARCH })}>
            All projects
          </Menu.Item>
        )}
        {projects.map(({ id, slug, name }) => (
          <Menu.Item
            key={id}
            onClick={() => navigate({ to: '/projects/$slug/issues', params: { slug }, search: INBOX_SEARCH })}
            rightSection={id === project?.id && <Icon name="check" />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
