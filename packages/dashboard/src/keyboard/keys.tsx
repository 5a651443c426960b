import { Kbd } from '@mantine/core'
import { Fragment } from 'react'
import classes from './keys.module.css'
import { capsOf } from './read-keys.ts'
import { useSingleKeys } from './single-keys.ts'

const IS_MAC = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** The keys of a command; nothing for single keys that are turned off. */
export function Keys({ keys }: { readonly keys: string | undefined }) {
  const isOn = useSingleKeys()
  if (keys === undefined || (!isOn && !keys.startsWith('mod+'))) return null
  return (
    <span className={classes['keys']}>
      {capsOf(keys, IS_MAC).map((caps, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a command never change their order
        <Fragment key={index}>
          {index > 0 && <span className={classes['then']}>then</span>}
          {caps.map((cap) => (
            <Kbd key={cap} size="xs">
              {cap}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
