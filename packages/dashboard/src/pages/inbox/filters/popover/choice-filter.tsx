import classes from '../filter-menu.module.css'
import { toggle } from '../filters.ts'

/** The values to choose from, always including the chosen ones. */
const MAX_OFFERED = 12

interface ChoiceFilterProps<T extends string> {
  readonly name: string
  readonly values: readonly T[]
  readonly labelOf: (value: T) => string
  readonly chosen: readonly T[]
  readonly onChoose: (chosen: readonly T[]) => void
}

/** Some of several values; none chosen means all. */
export function ChoiceFilter<T extends string>(props: ChoiceFilterProps<T>) {
  const { name, values, labelOf, chosen, onChoose } = props
  const offered = [...new Set([...values.slice(0, MAX_OFFERED), ...chosen])]
  if (offered.length === 0) return null
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['name']}>{name}</legend>
      <Choices offered={offered} labelOf={labelOf} chosen={chosen} onChoose={onChoose} />
    </fieldset>
  )
}

interface ChoicesProps<T extends string> extends Omit<ChoiceFilterProps<T>, 'name' | 'values'> {
  readonly offered: readonly T[]
}

export function Choices<T extends string>({ offered, labelOf, chosen, onChoose }: ChoicesProps<T>) {
  return offered.map((value) => (
    <label key={value} className={classes['choice']}>
      <input
        type="checkbox"
        checked={chosen.includes(value)}
        onChange={() => onChoose(toggle(chosen, value))}
      />
      <span className={classes['value']} title={labelOf(value)}>
        <bdi>{labelOf(value)}</bdi>
      </span>
    </label>
  ))
}
