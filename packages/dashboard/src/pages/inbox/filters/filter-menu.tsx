import { Button } from '@mantine/core'
import { Icon } from '../../../ui/icons/icons.tsx'
import { MenuButton } from '../../../ui/menu/menu-button.tsx'
import classes from './filter-menu.module.css'
import type { FilterFieldsProps } from './popover/filter-fields.tsx'

const loadPopover = () => import('./popover/filter-popover.tsx').then(({ FilterPopover }) => FilterPopover)

interface FilterMenuProps extends FilterFieldsProps {
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** All filters of the list. */
export function FilterMenu({ isOpen, onOpen, ...fields }: FilterMenuProps) {
  return (
    <MenuButton
      opens="dialog"
      isOpen={isOpen}
      onOpen={onOpen}
      load={loadPopover}
      options={fields}
      button={
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="filter" />}
          onClick={() => onOpen(!isOpen)}
          className={classes['button'] ?? ''}
        >
          <span className={classes['word']}>Filter</span>
        </Button>
      }
    />
  )
}
