import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useMe } from '../../api/people/session.ts'
import { useProject } from '../../shell/current-project.ts'
import { lazyPart } from '../../shell/lazy-part.ts'
import { useOpenIssue } from '../../shell/use-open-issue.ts'
import { holdKeys } from '../../ui/hold-keys.ts'
import { countOf } from '../../ui/words.ts'
import { FilterChips } from './filters/filter-chips.tsx'
import { FilterMenu } from './filters/filter-menu.tsx'
import { type Filters, nameOfFilters, readFilters, writeFilters } from './filters/filters.ts'
import { SearchField } from './filters/search-field.tsx'
import { SortMenu } from './filters/sort-menu.tsx'
import { shownCount } from './filters/status-counts.ts'
import { StatusTabs } from './filters/status-tabs.tsx'
import classes from './inbox-page.module.css'
import { IssueBoard } from './issue-board.tsx'
import { useListSession } from './list/use-list-session.ts'

const SaveViewDialog = lazyPart(
  () => import('../../shell/sidebar/views/save-view-dialog.tsx'),
  'SaveViewDialog',
)

/** The issues of a project. The address determines what is shown. */
export function InboxPage() {
  const project = useProject()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const name = nameOfFilters(readFilters(search))
  // The same parameters in another order are the same list.
  const filters = useMemo(() => readFilters(Object.fromEntries(new URLSearchParams(name))), [name])
  const me = useMe()
  const opened = useListSession({ projectId: project.id, filters, me })
  const [isFilterOpen, setFilterOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const searchRef = useRef<HTMLInputElement>(null)
  const gridRef = useRef<HTMLDivElement>(null)
  const count = shownCount(opened.state, filters.status)
  const openIssue = useOpenIssue(project)

  function openFilter(isOpen: boolean): void {
    if (isOpen) holdKeys(() => setFilterOpen(false))
    setFilterOpen(isOpen)
  }

  function save(): void {
    holdKeys(() => setSaving(false))
    setSaving(true)
  }

  function filter(change: Partial<Filters>): void {
    const isTyping = Object.keys(change).join() === 'q'
    void navigate({
      to: '/projects/$slug/issues',
      params: { slug: project.slug },
      search: writeFilters({ ...filters, ...change }),
      replace: isTyping && filters.q !== '',
    })
  }

  return (
    <div className={classes['inbox']}>
      <header className={classes['head']}>
        <h1>Inbox</h1>
        <span className={classes['total']}>{count === null ? '' : countOf(count, 'issue')}</span>
        <SearchField
          text={filters.q}
          onSearch={(q) => filter({ q })}
          onNumber={(issueNumber) => void openIssue(issueNumber)}
          onLeave={() => gridRef.current?.focus()}
          inputRef={searchRef}
        />
        <FilterMenu
          slug={project.slug}
          filters={filters}
          onFilter={filter}
          isOpen={isFilterOpen}
          onOpen={openFilter}
        />
        <SortMenu sort={filters.sort} onSort={(sort) => filter({ sort })} />
      </header>
      <StatusTabs slug={project.slug} filters={filters} counts={opened.state.counts} />
      <FilterChips filters={filters} onFilter={filter} onSave={save} />
      <IssueBoard
        key={opened.session.serial}
        opened={opened}
        filters={filters}
        gridRef={gridRef}
        onSearch={() => searchRef.current?.select()}
        onFilter={() => openFilter(true)}
        onSave={save}
        onClear={() => filter({ ...readFilters({}), sort: filters.sort })}
        onEveryStatus={() => filter({ status: [] })}
      />
      {isSaving && (
        <Suspense>
          <SaveViewDialog projectId={project.id} query={name} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </div>
  )
}
