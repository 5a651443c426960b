import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icons/icons.tsx'

interface ChartCardProps {
  readonly title: string
  readonly hint?: string
  readonly chart: ReactNode
  /** The same in figures. */
  readonly table: ReactNode
}

/** A chart that can be read as a table too. */
export function ChartCard({ title, hint, chart, table }: ChartCardProps) {
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      hint={hint}
      actions={
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
      }
    >
      {isTable ? table : chart}
    </Card>
  )
}
