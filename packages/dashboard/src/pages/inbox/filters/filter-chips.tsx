import type { Person } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../../../api/people/people.ts'
import { useProject } from '../../../shell/current-project.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import {
  BRANCH_NAMES,
  CATEGORY_NAMES,
  CONVERSATION_NAMES,
  PRIORITY_NAMES,
  platformName,
  STATUS_NAMES,
} from '../../../ui/words.ts'
import { assigneeName } from './assignee-names.ts'
import { dayOf } from './days.ts'
import classes from './filter-chips.module.css'
import { type Filters, NO_FILTERS, toggle } from './filters.ts'

interface FilterChipsProps {
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
  readonly onSave: () => void
}

/** The active filters, each with a button to remove it. */
export function FilterChips({ filters, onFilter, onSave }: FilterChipsProps) {
  const { slug } = useProject()
  const { data: people = [] } = useQuery({ ...peopleQuery(slug), enabled: filters.assignee.length > 0 })
  const chips = chipsOf(filters, people)
  if (chips.length === 0) return null
  const { sort } = filters
  return (
    <ul className={classes['chips']} aria-label="Filters">
      {chips.map(({ text, without }) => (
        <li key={text}>
          <button
            type="button"
            className={classes['chip']}
            aria-label={`Remove filter ${text}`}
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
          Save as view
        </Button>
      </li>
    </ul>
  )
}

interface Chip {
  readonly text: string
  readonly without: Partial<Filters>
}

function chipsOf(filters: Filters, people: readonly Person[]): readonly Chip[] {
  const { q, status, priority, category, platform, assignee, label, conversation, onDefaultBranch } = filters
  // A single status has its own tab.
  const statuses = status.length > 1 ? status : []
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
    ...TEXT_FILTERS.flatMap(([field, name]) =>
      filters[field].map((value) => ({
        text: `${name} ${value}`,
        without: { [field]: toggle(filters[field], value) },
      })),
    ),
    ...conversation.map((value) => ({
      text: CONVERSATION_NAMES[value],
      without: { conversation: toggle(conversation, value) },
    })),
    ...(onDefaultBranch === null
      ? []
      : [{ text: BRANCH_NAMES[`${onDefaultBranch}`], without: { onDefaultBranch: null } }]),
    ...(filters.spam ? SPAM : []),
    ...label.map((value) => ({ text: `Label ${value}`, without: { label: toggle(label, value) } })),
    ...assignee.map((value) => ({
      text: `Assigned to ${assigneeName(value, people).replace(/^(?:Me|No)\b/, (word) => word.toLowerCase())}`,
      without: { assignee: toggle(assignee, value) },
    })),
    ...daysOf(filters),
  ]
}

const SPAM: readonly Chip[] = [{ text: 'Spam', without: { spam: null } }]

const TEXT_FILTERS = [
  ['appVersion', 'Version'],
  ['buildNumber', 'Build'],
  ['branch', 'Branch'],
  ['osVersion', 'OS'],
  ['deviceModel', 'Device'],
  ['fingerprint', 'Fingerprint'],
  ['reporter', 'Reported by'],
] as const satisfies readonly (readonly [keyof Filters, string])[]

function daysOf({ createdAfter, createdBefore, updatedAfter, updatedBefore }: Filters): readonly Chip[] {
  const days: Chip[] = []
  if (createdAfter !== null)
    days.push({ text: `From ${dayOf(createdAfter)}`, without: { createdAfter: null } })
  if (createdBefore !== null)
    days.push({ text: `Until ${dayOf(createdBefore, -1)}`, without: { createdBefore: null } })
  if (updatedAfter !== null)
    days.push({ text: `Updated from ${dayOf(updatedAfter)}`, without: { updatedAfter: null } })
  if (updatedBefore !== null)
    days.push({ text: `Updated until ${dayOf(updatedBefore, -1)}`, without: { updatedBefore: null } })
  return days
}
