import type { Person } from '@bugle/contract'
import { Avatar } from '../../../ui/avatar.tsx'
import classes from './comment-field.module.css'

interface MentionMenuProps {
  readonly id: string
  readonly people: readonly Person[]
  /** The person whom Enter chooses. */
  readonly current: Person | undefined
  readonly onChoose: (person: Person) => void
}

/** The people to mention. The text field keeps the focus and takes the keys. */
export function MentionMenu({ id, people, current, onChoose }: MentionMenuProps) {
  return (
    <div id={id} role="listbox" aria-label="People to mention" className={classes['people']}>
      {people.map((person) => (
        <div
          key={person.id}
          id={optionId(id, person)}
          role="option"
          tabIndex={-1}
          aria-selected={person === current}
          className={classes['person']}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(person)
          }}
        >
          <Avatar name={person.name} isDecoration />
          <span dir="auto" className={classes['name']}>
            {person.name}
          </span>
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, { id }: Person): string {
  return `${listId}-${id}`
}
