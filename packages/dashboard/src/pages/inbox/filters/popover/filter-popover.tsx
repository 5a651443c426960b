import { Popover } from '@mantine/core'
import { deliverKeys } from '../../../../ui/hold-keys.ts'
import type { MenuProps } from '../../../../ui/menu/menu-button.tsx'
import classes from '../filter-menu.module.css'
import { FilterFields, type FilterFieldsProps } from './filter-fields.tsx'

export function FilterPopover({ button, opened, onChange, ...fields }: FilterFieldsProps & MenuProps) {
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles
      width="auto"
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown className={classes['menu'] ?? ''} aria-label="Filter" onFocus={deliverKeys}>
        {opened && <FilterFields {...fields} />}
      </Popover.Dropdown>
    </Popover>
  )
}
