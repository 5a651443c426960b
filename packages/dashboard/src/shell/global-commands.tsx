import type { Project } from '@bugle/contract'
import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../api/people/session.ts'
import { useSignOut } from '../api/people/use-sign-out.ts'
import type { Command } from '../keyboard/command.ts'
import { openHelp, openPalette } from '../keyboard/open-overlay.ts'
import { useCommands } from '../keyboard/use-commands.ts'
import { type Undoable, undoChange, undoEverything, useUndoables } from '../ui/feedback/undo.ts'
import { useProjects } from './current-project.ts'
import { ASSIGNED_SEARCH, EVERYWHERE_SEARCH, INBOX_SEARCH } from './inbox-address.ts'

/** The commands of every page. */
export function GlobalCommands({ project }: { readonly project: Project | undefined }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { data: session } = useQuery(sessionQuery)
  const projects = useProjects()
  const { setColorScheme } = useMantineColorScheme()
  const undoables = useUndoables()
  useCommands([
    ...undoCommands(undoables),
    ...(project === undefined ? [] : pagesOf(project)),
    ...projects.map(
      ({ id, name, slug }): Command => ({
        id: `project.${id}`,
        title: `Project ${name}`,
        section: 'Go to',
        words: slug,
        run: () => void navigate({ to: '/projects/$slug/issues', params: { slug }, search: INBOX_SEARCH }),
      }),
    ),
    ...(session?.user.role === 'admin'
      ? [
          {
            id: 'go.settings',
            title: 'Settings',
            section: 'Go to' as const,
            keys: 'g s',
            run: () => void navigate({ to: '/settings/$' }),
          },
        ]
      : []),
    {
      id: 'go.everywhere',
      title: 'All projects',
      section: 'Go to',
      keys: 'g e',
      run: () => void navigate({ to: '/issues', search: EVERYWHERE_SEARCH }),
    },
    {
      id: 'go.mine',
      title: 'Assigned to me in all projects',
      section: 'Go to',
      keys: 'g w',
      run: () => void navigate({ to: '/issues', search: ASSIGNED_SEARCH }),
    },
    {
      id: 'go.account',
      title: 'Profile',
      section: 'Go to',
      keys: 'g a',
      run: () => void navigate({ to: '/account' }),
    },
    {
      id: 'page.palette',
      title: 'Find a command',
      section: 'Page',
      keys: 'mod+k',
      isKeyOnly: true,
      run: openPalette,
    },
    { id: 'page.help', title: 'Keyboard shortcuts', section: 'Page', keys: '?', run: openHelp },
    { id: 'theme.light', title: 'Light theme', section: 'Page', run: () => setColorScheme('light') },
    { id: 'theme.dark', title: 'Dark theme', section: 'Page', run: () => setColorScheme('dark') },
    { id: 'theme.auto', title: 'System theme', section: 'Page', run: () => setColorScheme('auto') },
    { id: 'page.sign-out', title: 'Sign out', section: 'Page', run: () => void signOut() },
  ])
  return null

  function pagesOf({ slug }: Project): readonly Command[] {
    const params = { slug }
    return [
      {
        id: 'go.inbox',
        title: 'Inbox',
        section: 'Go to',
        keys: 'g i',
        run: () => void navigate({ to: '/projects/$slug/issues', params, search: INBOX_SEARCH }),
      },
      {
        id: 'go.assigned',
        title: 'Assigned to me',
        section: 'Go to',
        keys: 'g m',
        run: () => void navigate({ to: '/projects/$slug/issues', params, search: ASSIGNED_SEARCH }),
      },
      ...(session?.user.scopes.includes('issues:triage')
        ? [
            {
              id: 'go.new',
              title: 'New issue',
              section: 'Go to' as const,
              keys: 'shift+n',
              run: () => void navigate({ to: '/projects/$slug/new', params }),
            },
          ]
        : []),
      {
        id: 'go.insights',
        title: 'Insights',
        section: 'Go to',
        keys: 'g n',
        run: () => void navigate({ to: '/projects/$slug/insights', params }),
      },
      {
        id: 'go.project',
        title: 'Project',
        section: 'Go to',
        keys: 'g p',
        run: () => void navigate({ to: '/projects/$slug/settings', params }),
      },
    ]
  }
}

function undoCommands(undoables: readonly Undoable[]): readonly Command[] {
  const last = undoables.at(-1)
  if (last === undefined) return []
  const undo: Command = {
    id: 'page.undo',
    title: `Undo: ${last.text}`,
    section: 'Page',
    keys: 'u',
    run: () => void undoChange(last),
  }
  if (undoables.length === 1) return [undo]
  const title = `Undo all ${undoables.length} changes from the last minute`
  return [
    undo,
    { id: 'page.undo-all', title, section: 'Page', keys: 'shift+u', run: () => void undoEverything() },
  ]
}
