import type { Project } from '@bugle/contract'
import { Menu, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/icons/icons.tsx'
import { useProjects } from '../current-project.ts'
import { INBOX_SEARCH } from '../inbox-address.ts'
import classes from './project-switcher.module.css'

/** The current project, and the others to switch to. */
export function ProjectSwitcher({ project }: { readonly project: Project | undefined }) {
  const projects = useProjects()
  const navigate = useNavigate()
  const name = project?.name ?? 'Choose a project'
  return (
    <Menu position="bottom-start" width={216}>
      <Menu.Target>
        <UnstyledButton className={classes['button'] ?? ''} aria-label={`Project: ${name}`}>
          <span
            className={classes['letter']}
            data-letter={project === undefined ? '?' : [...project.name][0]}
          />
          <span className={classes['name']}>{name}</span>
          <Icon name="chevron" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''}>
        {projects.map(({ id, slug, name: title }) => (
          <Menu.Item
            key={id}
            onClick={() => navigate({ to: '/projects/$slug/issues', params: { slug }, search: INBOX_SEARCH })}
            rightSection={id === project?.id && <Icon name="check" />}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
