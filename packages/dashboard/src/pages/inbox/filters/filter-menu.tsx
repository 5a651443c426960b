import { Button, Popover } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { deliverKeys } from '../../../ui/hold-keys.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './filter-menu.module.css'
import type { Filters } from './filters.ts'

const FilterFields = lazy(() =>
  import('./filter-fields.tsx').then((module) => ({ default: module.FilterFields })),
)

interface FilterMenuProps {
  readonly slug: string
  readonly filters: Filters
  readonly onFilter: (change: Partial<Filters>) => void
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** All filters of the list. */
export function FilterMenu({ slug, filters, onFilter, isOpen, onOpen }: FilterMenuProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles
      width="auto"
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="filter" />}
          onClick={() => onOpen(!isOpen)}
          className={classes['button'] ?? ''}
        >
          <span className={classes['word']}>Filter</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['menu'] ?? ''} aria-label="Filter" onFocus={deliverKeys}>
        <Suspense>{isOpen && <FilterFields slug={slug} filters={filters} onFilter={onFilter} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
