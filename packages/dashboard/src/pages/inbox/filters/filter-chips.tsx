import { Button } from '@mantine/core'
import { Icon } from '../../../ui/icons/icons.tsx'
import { CATEGORY_NAMES, PRIORITY_NAMES, platformName, STATUS_NAMES } from '../../../ui/words.ts'
import { dayOf } from './days.ts'
import classes from './filter-chips.module.css'
import { type Filters, NO_FILTERS, toggle } from './filters.ts'

interface FilterChipsProps {
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
  readonly onSave: () => void
}

/** What the list is narrowed by, each to be taken away again. */
export function FilterChips({ filters, onFilter, onSave }: FilterChipsProps) {
  const chips = chipsOf(filters)
  if (chips.length === 0) return null
  const { sort } = filters
  return (
    <ul className={classes['chips']} aria-label="Filters">
      {chips.map(({ text, without }) => (
        <li key={text}>
          <button
            type="button"
            className={classes['chip']}
            aria-label={`Remove the filter ${text}`}
            onClick={() => onFilter(without)}
          >
            {text}
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
      <li>
        <Button size="compact-xs" variant="subtle" onClick={() => onFilter({ ...NO_FILTERS, sort })}>
          Clear all
        </Button>
      </li>
      <li>
        <Button size="compact-xs" variant="subtle" onClick={onSave}>
          Save as a view
        </Button>
      </li>
    </ul>
  )
}

interface Chip {
  readonly text: string
  readonly without: Partial<Filters>
}

function chipsOf(filters: Filters): readonly Chip[] {
  const { q, status, priority, category, platform, appVersion, branch, createdAfter, createdBefore } = filters
  // A single status is a tab of its own.
  const statuses = status.length > 1 ? status : []
  const days: Chip[] = []
  if (createdAfter !== null)
    days.push({ text: `From ${dayOf(createdAfter)}`, without: { createdAfter: null } })
  if (createdBefore !== null)
    days.push({ text: `Until ${dayOf(createdBefore, -1)}`, without: { createdBefore: null } })
  return [
    ...(q === '' ? [] : [{ text: `“${q}”`, without: { q: '' } }]),
    ...statuses.map((value) => ({ text: STATUS_NAMES[value], without: { status: toggle(status, value) } })),
    ...priority.map((value) => ({
      text: `${PRIORITY_NAMES[value]} priority`,
      without: { priority: toggle(priority, value) },
    })),
    ...category.map((value) => ({
      text: CATEGORY_NAMES[value],
      without: { category: toggle(category, value) },
    })),
    ...platform.map((value) => ({
      text: platformName(value),
      without: { platform: toggle(platform, value) },
    })),
    ...appVersion.map((value) => ({
      text: `Version ${value}`,
      without: { appVersion: toggle(appVersion, value) },
    })),
    ...branch.map((value) => ({ text: `Branch ${value}`, without: { branch: toggle(branch, value) } })),
    ...days,
  ]
}
