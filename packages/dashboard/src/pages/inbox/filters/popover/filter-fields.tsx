import {
  ASSIGNED_TO_ME,
  CATEGORIES,
  CONVERSATION_STATES,
  ISSUE_STATUSES,
  PRIORITIES,
  SECURITY_CATEGORY,
  UNASSIGNED,
} from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../../../../api/people/people.ts'
import { useMay, useMe } from '../../../../api/people/session.ts'
import { labelsQuery } from '../../../../api/projects/labels.ts'
import { statsQuery } from '../../../../api/projects/projects.ts'
import {
  CATEGORY_NAMES,
  CONVERSATION_NAMES,
  PRIORITY_NAMES,
  platformName,
  STATUS_NAMES,
} from '../../../../ui/words.ts'
import { assigneeName } from '../assignee-names.ts'
import classes from '../filter-menu.module.css'
import type { Filters } from '../filters.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import { DateFilter } from './date-filter.tsx'
import { SeenFilter } from './seen-filter.tsx'
import { TextFilter } from './text-filter.tsx'

export interface FilterFieldsProps {
  readonly slug: string
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
}

/** A field for each filter of the list. The first one takes the focus. */
export function FilterFields({ slug, filters, onFilter }: FilterFieldsProps) {
  const { data: stats } = useQuery(statsQuery(slug))
  const { data: people = [] } = useQuery(peopleQuery(slug))
  const { data: labels = [] } = useQuery(labelsQuery(slug))
  const me = useMe()
  const seesSecurity = useMay('security:read')
  const categories = CATEGORIES.filter((category) => seesSecurity || category !== SECURITY_CATEGORY)
  const seen = (values: readonly { value: string; includesRest: boolean }[] | null = []) =>
    (values ?? []).filter(({ includesRest }) => !includesRest).map(({ value }) => value)
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
        name="Label"
        values={labels.map(({ name }) => name)}
        labelOf={(name) => name}
        chosen={filters.label}
        onChoose={(label) => onFilter({ label })}
      />
      <ChoiceFilter
        name="Assignee"
        values={[ASSIGNED_TO_ME, UNASSIGNED, ...people.filter(({ id }) => id !== me).map(({ id }) => id)]}
        labelOf={(word) => assigneeName(word, people)}
        chosen={filters.assignee}
        onChoose={(assignee) => onFilter({ assignee })}
      />
      <ChoiceFilter
        name="Conversation"
        values={CONVERSATION_STATES.toReversed()}
        labelOf={(state) => CONVERSATION_NAMES[state]}
        chosen={filters.conversation}
        onChoose={(conversation) => onFilter({ conversation })}
      />
      <SeenFilter
        name="Version"
        kind="version"
        slug={slug}
        chosen={filters.appVersion}
        onChoose={(appVersion) => onFilter({ appVersion })}
      />
      <div className={classes['last']}>
        <SeenFilter
          name="Branch"
          kind="branch"
          slug={slug}
          chosen={filters.branch}
          onChoose={(branch) => onFilter({ branch })}
        />
        <BranchFilter chosen={filters.onDefaultBranch} onChoose={onFilter} />
      </div>
      <ChoiceFilter
        name="OS"
        values={seen(stats?.byOsVersion)}
        labelOf={(value) => value}
        chosen={filters.osVersion}
        onChoose={(osVersion) => onFilter({ osVersion })}
      />
      <ChoiceFilter
        name="Device"
        values={seen(stats?.byDeviceModel)}
        labelOf={(value) => value}
        chosen={filters.deviceModel}
        onChoose={(deviceModel) => onFilter({ deviceModel })}
      />
      <div className={classes['last']}>
        <TextFilter
          name="Build"
          chosen={filters.buildNumber}
          onChoose={(buildNumber) => onFilter({ buildNumber })}
        />
        <TextFilter
          name="Fingerprint"
          chosen={filters.fingerprint}
          onChoose={(fingerprint) => onFilter({ fingerprint })}
        />
        <TextFilter
          name="Reporter"
          chosen={filters.reporter}
          onChoose={(reporter) => onFilter({ reporter })}
        />
      </div>
      <div className={classes['last']}>
        <DateFilter name="Created" filters={filters} onFilter={onFilter} />
      </div>
      <div className={classes['last']}>
        <DateFilter name="Updated" filters={filters} onFilter={onFilter} />
        <ChoiceFilter
          name="Spam"
          values={['spam'] as const}
          labelOf={() => 'Only spam'}
          chosen={filters.spam ? ['spam'] : []}
          onChoose={({ length }) => onFilter({ spam: length > 0 || null })}
        />
      </div>
    </div>
  )
}

interface BranchFilterProps {
  readonly chosen: Filters['onDefaultBranch']
  readonly onChoose: (change: Pick<Filters, 'onDefaultBranch'>) => void
}

/** At most one of the two. */
function BranchFilter({ chosen, onChoose }: BranchFilterProps) {
  const text = chosen === null ? null : (`${chosen}` as const)
  return (
    <ChoiceFilter
      name="Default branch"
      values={['true', 'false'] as const}
      labelOf={(value) => (value === 'true' ? 'Seen there' : 'Not seen there')}
      chosen={text === null ? [] : [text]}
      onChoose={(values) => {
        const value = values.find((one) => one !== text)
        onChoose({ onDefaultBranch: value === undefined ? null : value === 'true' })
      }}
    />
  )
}

function focusFirst(fields: HTMLElement | null): void {
  fields?.querySelector('input')?.focus()
}
