import { endpoints, type IssueListItem, JOINT_SORTS, type JointSort, MAX_PAGE_SIZE } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { client } from '../../api/client.ts'
import type { Command } from '../../keyboard/command.ts'
import { useCommands } from '../../keyboard/use-commands.ts'
import { ProjectContext, useProjects } from '../../shell/current-project.ts'
import { ASSIGNED_SEARCH, EVERYWHERE_SEARCH } from '../../shell/inbox-address.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { SideLink } from '../../shell/sidebar/side-link.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { StatePanel } from '../../ui/feedback/state-panel.tsx'
import { useTitle } from '../../ui/page.tsx'
import { countOf } from '../../ui/words.ts'
import { ignoreServerFailure } from '../inbox/changes/ignore-server-failure.ts'
import { SortMenu } from '../inbox/filters/sort-menu.tsx'
import tabClasses from '../inbox/filters/status-tabs.module.css'
import pageClasses from '../inbox/inbox-page.module.css'
import boardClasses from '../inbox/issue-board.module.css'
import { Cell } from '../inbox/list/cell.tsx'
import { createIssueList, type IssueList } from '../inbox/list/issue-list.ts'
import { IssueRows } from '../inbox/list/issue-rows.tsx'
import { recallPlace } from '../inbox/list/list-places.ts'
import { ListSkeleton } from '../inbox/list/list-skeleton.tsx'
import { useKeptPlace } from '../inbox/list/use-kept-place.ts'
import classes from './everywhere-page.module.css'
import { type JointFilters, nameOfJoint, readJointFilters, writeJointFilters } from './joint-filters.ts'

const ROW_HEIGHT = 40
const NARROW_ROW_HEIGHT = 74
/** There is no live stream of several projects, so the rows on the screen are read again. */
const UPDATE_MS = 15_000

/** The issues of all projects, or those among them that are assigned to the person. The address determines what is shown. */
export function EverywherePage() {
  const filters = readJointFilters(useSearch({ strict: false }))
  const name = nameOfJoint(filters)
  return <JointList key={name} name={name} filters={filters} />
}

const STATUS_TABS = [
  { name: 'Active', status: EVERYWHERE_SEARCH.status },
  { name: 'Done', status: 'resolved,closed,wontfix' },
  { name: 'All', status: '' },
] as const

function JointList({ name, filters }: { readonly name: string; readonly filters: JointFilters }) {
  const navigate = useNavigate()
  const projects = useProjects()
  const title = filters.isMine ? 'Assigned to me' : 'All projects'
  useTitle(title)
  const [list, setList] = useState(() => openList(name, filters))
  const state = useSyncExternalStore(list.subscribe, list.state)
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [place] = useState(() => recallPlace(name))
  const [cursor, setCursor] = useState(place?.cursor ?? 0)
  const gridRef = useRef<HTMLDivElement>(null)
  useKeptPlace(name, cursor, gridRef)
  useUpdates(list)

  const projectOf = ({ projectId }: IssueListItem) => projects.find(({ id }) => id === projectId)

  function step(by: number): void {
    setCursor(Math.max(0, Math.min(cursor + by, state.count - 1)))
    gridRef.current?.focus()
  }

  function open(): void {
    const row = list.row(cursor)
    const project = typeof row === 'object' ? projectOf(row) : undefined
    if (typeof row === 'object' && project !== undefined) void navigate(issueAddress(project.slug, row))
  }

  function refresh(): void {
    setList(reopenList(name, filters))
    setCursor(0)
  }

  useCommands([
    inList('next', 'Next issue', 'j', () => step(1), 'arrowdown'),
    inList('previous', 'Previous issue', 'k', () => step(-1), 'arrowup'),
    inList('first', 'First issue', 'home', () => step(-state.count)),
    inList('open', 'Open issue', 'enter', open),
    inList('refresh', 'Refresh and show new issues', '.', refresh),
  ])

  /** The row reads the project it belongs to from the context. */
  function withProject(issue: IssueListItem, row: ReactNode): ReactNode {
    const project = projectOf(issue)
    if (project === undefined) return <Cell className={classes['project']}>#{issue.issueNumber}</Cell>
    return (
      <ProjectContext value={project}>
        <Cell className={classes['project']}>{project.name}</Cell>
        {row}
      </ProjectContext>
    )
  }

  const total = state.isRead ? state.total : null
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  return (
    <div className={pageClasses['inbox']}>
      <header className={pageClasses['head']}>
        <h1>{title}</h1>
        <span className={pageClasses['total']}>{total === null ? '' : countOf(total, 'issue')}</span>
        <SortMenu
          sorts={JOINT_SORTS}
          sort={filters.sort}
          onSort={(sort) =>
            void navigate({
              to: '/issues',
              search: writeJointFilters({ ...filters, sort: sort as JointSort }),
            })
          }
        />
      </header>
      <nav aria-label="Issues" className={tabClasses['tabs']}>
        {[false, true].map((isMine) => (
          <Tab
            key={String(isMine)}
            filters={{ ...filters, isMine }}
            isCurrent={filters.isMine === isMine}
            name={isMine ? 'Assigned to me' : 'Everyone’s'}
          />
        ))}
        <span className={classes['gap']} />
        {STATUS_TABS.map(({ name: tab, status }) => (
          <Tab key={tab} name={tab} filters={{ ...filters, status }} isCurrent={filters.status === status} />
        ))}
      </nav>
      {!state.isRead && state.error !== undefined ? (
        <Failure error={state.error} onRetry={list.retry} />
      ) : (
        <div className={boardClasses['board']}>
          {!state.isRead && <ListSkeleton rowHeight={rowHeight} />}
          {state.isRead && state.count === 0 && <Empty filters={filters} />}
          {state.count > 0 && (
            <IssueRows
              list={list}
              state={state}
              selection={NO_SELECTION}
              isSelectable={false}
              cursor={cursor}
              rowHeight={rowHeight}
              gridRef={gridRef}
              initialOffset={place?.offset ?? 0}
              takesFocus={place !== undefined}
              isDone={isOutside(filters)}
              onToggle={() => undefined}
              onCursor={setCursor}
              around={withProject}
            />
          )}
          {state.isRead && state.error !== undefined && (
            <div className={boardClasses['failure']} role="alert">
              More issues could not be loaded.
              <Button size="compact-sm" variant="default" onClick={list.retry}>
                Try again
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

interface TabProps {
  readonly name: string
  readonly filters: JointFilters
  readonly isCurrent: boolean
}

function Tab({ name, filters, isCurrent }: TabProps) {
  return (
    <SideLink
      to="/issues"
      search={writeJointFilters(filters)}
      className={tabClasses['tab']}
      isCurrent={isCurrent}
    >
      {name}
    </SideLink>
  )
}

function Empty({ filters }: { readonly filters: JointFilters }) {
  const isActive = filters.status === EVERYWHERE_SEARCH.status
  return (
    <StatePanel
      icon={isActive ? 'check' : 'search'}
      title={isActive ? 'All caught up' : 'No issues'}
      action={
        filters.status !== '' && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/issues" search={writeJointFilters({ ...filters, status: '' })} {...props} />
            )}
          >
            Show every status
          </Button>
        )
      }
    >
      {filters.isMine
        ? 'Issues that are assigned to you appear here, from all projects.'
        : 'Issues of all your projects appear here.'}
    </StatePanel>
  )
}

/** Reads the rows on the screen again from time to time, and when the person returns to the page. */
function useUpdates(list: IssueList): void {
  const update = useEffectEvent(async () => {
    if (document.visibilityState === 'hidden' || !list.state().isRead) return
    try {
      await list.update()
    } catch (error) {
      ignoreServerFailure(error)
    }
  })
  useEffect(() => {
    void update()
    const timer = setInterval(() => void update(), UPDATE_MS)
    const onShow = () => void update()
    document.addEventListener('visibilitychange', onShow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onShow)
    }
  }, [])
}

/** The list that was opened last, so that going back from an issue shows the same rows. */
let kept: { readonly name: string; readonly list: IssueList } | undefined

function openList(name: string, filters: JointFilters): IssueList {
  return kept?.name === name ? kept.list : reopenList(name, filters)
}

function reopenList(name: string, { status, isMine, sort }: JointFilters): IssueList {
  kept?.list.close()
  const query = {
    ...(status !== '' && { status: status.split(',') as IssueListItem['status'][] }),
    ...(isMine && { assignee: [ASSIGNED_SEARCH.assignee] }),
    sort,
    pageSize: MAX_PAGE_SIZE,
  }
  const list = createIssueList(async (cursor, signal) => {
    const input = { query: cursor === undefined ? query : { ...query, cursor }, signal }
    return (await client.call(endpoints.listIssues, input)).body
  })
  kept = { name, list }
  return list
}

/** Whether an issue has changed so that it no longer belongs to the list. */
function isOutside({ status }: JointFilters): (issue: IssueListItem) => boolean {
  return (issue) => status !== '' && !status.split(',').includes(issue.status)
}

const NO_SELECTION = {
  ids: new Set<string>(),
  has: () => false,
  toggle: () => undefined,
  extend: () => undefined,
  clear: () => undefined,
  issues: () => [],
}

function inList(name: string, title: string, keys: string, run: () => void, alsoKeys = keys): Command {
  return { id: `list.${name}`, title, section: 'List', keys, alsoKeys, run, isKeyOnly: true }
}
