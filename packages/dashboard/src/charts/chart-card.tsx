import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icons/icons.tsx'

interface ChartCardProps {
  readonly title: string
  readonly hint?: string
  /** Next to the button that shows the table. */
  readonly actions?: ReactNode
  readonly chart: ReactNode
  /** The same data as a table. */
  readonly table: ReactNode
}

/** A chart that can also be shown as a table. */
export function ChartCard({ title, hint, actions, chart, table }: ChartCardProps) {
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      hint={hint}
      actions={
        <>
          {actions}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Icon name={isTable ? 'insights' : 'table'} size={14} />}
            aria-label={`${title}: show as ${isTable ? 'chart' : 'table'}`}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Chart' : 'Table'}
          </Button>
        </>
      }
    >
      {isTable ? table : chart}
    </Card>
  )
}
