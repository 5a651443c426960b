import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'
import { deliverKeys } from './hold-keys.ts'
import { useFocusReturn } from './use-focus-return.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly size?: number | string
  /** Whether the title is only for those who listen. */
  readonly isBare?: boolean
  readonly children: ReactNode
}

/** A dialog, open as long as it is on the page. Load what contains it with `lazy`: few visits need one. */
export function Dialog({ title, onClose, size = 'md', isBare = false, children }: DialogProps) {
  useFocusReturn()
  return (
    <Modal.Root opened onClose={onClose} size={size} returnFocus={false} yOffset="12dvh">
      <Modal.Overlay />
      <Modal.Content onFocus={deliverKeys}>
        {/* Not Mantine's header: outside of the main part it would be another banner of the page. */}
        <div className={isBare ? 'visually-hidden' : classes['head']}>
          <Modal.Title>{title}</Modal.Title>
          {!isBare && <Modal.CloseButton aria-label="Close" />}
        </div>
        <div className={isBare ? undefined : classes['body']}>{children}</div>
      </Modal.Content>
    </Modal.Root>
  )
}
