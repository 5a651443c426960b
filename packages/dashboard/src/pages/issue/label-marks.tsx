import { UnstyledButton } from '@mantine/core'
import { useLabelColours } from '../../api/projects/labels.ts'
import { useProject } from '../../shell/current-project.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import { LabelChip } from '../../ui/label-chip.tsx'
import chip from '../../ui/menu/choice-menu.module.css'
import classes from './label-marks.module.css'

interface LabelMarksProps {
  readonly labels: readonly string[]
  /** Absent for people without the right to change them. */
  readonly onLabel: (() => void) | undefined
}

/** The labels of the issue, and a button to change them. */
export function LabelMarks({ labels, onLabel }: LabelMarksProps) {
  const { slug } = useProject()
  const colours = useLabelColours(slug, labels.length > 0)
  return (
    <>
      {labels.length > 0 && (
        <ul className={classes['labels']} aria-label="Labels">
          {labels.map((name) => (
            <li key={name}>
              <LabelChip name={name} colour={colours.get(name)} />
            </li>
          ))}
        </ul>
      )}
      {onLabel !== undefined && (
        <UnstyledButton className={chip['chip'] ?? ''} data-opens onClick={onLabel}>
          {labels.length === 0 ? 'Add labels' : 'Edit labels'}
          <Icon name="chevron" size={12} />
        </UnstyledButton>
      )}
    </>
  )
}
