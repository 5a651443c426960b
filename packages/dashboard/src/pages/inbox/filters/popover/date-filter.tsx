import { TextInput } from '@mantine/core'
import { dayOf, endOfDay, startOfDay } from '../days.ts'
import type { Filters } from '../filters.ts'

interface DateFilterProps {
  readonly name: 'Created' | 'Updated'
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
}

/** From one day to another, both included, in the viewer's time zone. */
export function DateFilter({ name, filters, onFilter }: DateFilterProps) {
  const [after, before] = FIELDS[name]
  const [from, until] = [filters[after], filters[before]]
  return (
    <>
      <TextInput
        size="xs"
        type="date"
        label={`${name} from`}
        value={from === null ? '' : dayOf(from)}
        onChange={(event) => onFilter({ [after]: startOfDay(event.currentTarget.value) })}
      />
      <TextInput
        size="xs"
        type="date"
        label={`${name} until`}
        value={until === null ? '' : dayOf(until, -1)}
        onChange={(event) => onFilter({ [before]: endOfDay(event.currentTarget.value) })}
      />
    </>
  )
}

const FIELDS = {
  Created: ['createdAfter', 'createdBefore'],
  Updated: ['updatedAfter', 'updatedBefore'],
} as const
