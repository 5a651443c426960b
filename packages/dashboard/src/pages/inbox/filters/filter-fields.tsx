import { CATEGORIES, ISSUE_STATUSES, PRIORITIES, SECURITY_CATEGORY } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { statsQuery } from '../../../api/projects.ts'
import { useMay } from '../../../api/session.ts'
import { CATEGORY_NAMES, PRIORITY_NAMES, platformName, STATUS_NAMES } from '../../../ui/words.ts'
import { BranchFilter } from './branch-filter.tsx'
import { ChoiceFilter } from './choice-filter.tsx'
import { DateFilter } from './date-filter.tsx'
import classes from './filter-menu.module.css'
import type { Filters } from './filters.ts'

interface FilterFieldsProps {
  readonly slug: string
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
}

/** A field for everything the list can be narrowed by. The first one takes the focus. */
export function FilterFields({ slug, filters, onFilter }: FilterFieldsProps) {
  const { data: stats } = useQuery(statsQuery(slug))
  const seesSecurity = useMay('security:read')
  const categories = CATEGORIES.filter((category) => seesSecurity || category !== SECURITY_CATEGORY)
  const seen = (values: readonly { value: string; includesRest: boolean }[] = []) =>
    values.filter(({ includesRest }) => !includesRest).map(({ value }) => value)
  return (
    <div className={classes['fields']} ref={focusFirst}>
      <ChoiceFilter
        name="Status"
        values={ISSUE_STATUSES}
        labelOf={(status) => STATUS_NAMES[status]}
        chosen={filters.status}
        onChoose={(status) => onFilter({ status })}
      />
      <ChoiceFilter
        name="Priority"
        values={PRIORITIES.toReversed()}
        labelOf={(priority) => PRIORITY_NAMES[priority]}
        chosen={filters.priority}
        onChoose={(priority) => onFilter({ priority })}
      />
      <ChoiceFilter
        name="Category"
        values={categories}
        labelOf={(category) => CATEGORY_NAMES[category]}
        chosen={filters.category}
        onChoose={(category) => onFilter({ category })}
      />
      <ChoiceFilter
        name="Platform"
        values={seen(stats?.byPlatform)}
        labelOf={platformName}
        chosen={filters.platform}
        onChoose={(platform) => onFilter({ platform })}
      />
      <ChoiceFilter
        name="Version"
        values={seen(stats?.byAppVersion)}
        labelOf={(version) => version}
        chosen={filters.appVersion}
        onChoose={(appVersion) => onFilter({ appVersion })}
      />
      <div className={classes['last']}>
        <BranchFilter branches={filters.branch} onChoose={(branch) => onFilter({ branch })} />
        <DateFilter filters={filters} onFilter={onFilter} />
      </div>
    </div>
  )
}

function focusFirst(fields: HTMLElement | null): void {
  fields?.querySelector('input')?.focus()
}
