import { TextInput } from '@mantine/core'
import { dayOf, endOfDay, startOfDay } from './days.ts'
import type { Filters } from './filters.ts'

interface DateFilterProps {
  readonly filters: Pick<Filters, 'createdAfter' | 'createdBefore'>
  readonly onFilter: (change: Partial<Filters>) => void
}

/** From one day to another, both included, in the viewer's time zone. */
export function DateFilter({ filters: { createdAfter, createdBefore }, onFilter }: DateFilterProps) {
  return (
    <>
      <TextInput
        size="xs"
        type="date"
        label="Created from"
        value={createdAfter === null ? '' : dayOf(createdAfter)}
        onChange={(event) => onFilter({ createdAfter: startOfDay(event.currentTarget.value) })}
      />
      <TextInput
        size="xs"
        type="date"
        label="Created until"
        value={createdBefore === null ? '' : dayOf(createdBefore, -1)}
        onChange={(event) => onFilter({ createdBefore: endOfDay(event.currentTarget.value) })}
      />
    </>
  )
}
