import type { Exception, Frame } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx'
import type { CrashReport } from './crash-report.ts'
import classes from './exceptions.module.css'
import { groupFrames, nameOf, placeOf } from './group-frames.ts'
import { writeExceptions } from './write-exceptions.ts'

/** What a report says was thrown, followed by its causes. Nothing in it becomes a link. */
export function Exceptions({ report: { exception, reportNumber } }: { readonly report: CrashReport }) {
  return (
    <section aria-labelledby="exception" className={classes['exceptions']}>
      <div className={classes['head']}>
        <h2 id="exception">Exception</h2>
        <span className={classes['of']}>in report {reportNumber}</span>
        <CopyButton text={writeExceptions(exception)} what="the exception" />
      </div>
      <ol className={classes['chain']}>
        {exception.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={index} className={classes['exception']}>
            <Head exception={one} isCause={index > 0} />
            <Frames exception={one} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Head({ exception, isCause }: { readonly exception: Exception; readonly isCause: boolean }) {
  const { type, value, mechanism } = exception
  return (
    <div className={classes['thrown']}>
      <h3 dir="auto">
        {isCause && <span className={classes['cause']}>Caused by </span>}
        <bdi>{type}</bdi>
      </h3>
      {value !== null && (
        <p className={classes['value']} dir="auto">
          {value}
        </p>
      )}
      {mechanism !== null && (
        <p className={classes['mechanism']}>
          Caught by <bdi>{mechanism.type}</bdi>
          {mechanism.handled !== null && (mechanism.handled ? ', handled' : ', not handled')}
        </p>
      )}
    </div>
  )
}

function Frames({ exception: { frames } }: { readonly exception: Exception }) {
  const groups = groupFrames(frames)
  const first = groups.findIndex(({ kind }) => kind === 'own')
  if (groups.length === 0) return <p className={classes['none']}>No stack trace.</p>
  return (
    <ol className={classes['frames']}>
      {groups.map((group, index) =>
        group.kind === 'own' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <FrameRow key={index} frame={group.frame} isOpen={index === first} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <Libraries key={index} frames={group.frames} />
        ),
      )}
    </ol>
  )
}

function Libraries({ frames }: { readonly frames: readonly Frame[] }) {
  const [isShown, setShown] = useState(false)
  const count = frames.length === 1 ? '1 library frame' : `${frames.length} library frames`
  return (
    <>
      <li className={classes['fold']}>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'} {count}
        </Button>
      </li>
      {isShown &&
        frames.map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <FrameRow key={index} frame={frame} isOpen={false} />
        ))}
    </>
  )
}

function FrameRow({ frame, isOpen }: { readonly frame: Frame; readonly isOpen: boolean }) {
  const name = nameOf(frame)
  const call = (
    <>
      {name !== '' && <bdi className={classes['name']}>{name}</bdi>}{' '}
      <bdi className={classes['place']}>{placeOf(frame)}</bdi>
    </>
  )
  if (frame.context === null) return <li className={classes['frame']}>{call}</li>
  return (
    <li className={classes['frame']}>
      <details open={isOpen}>
        <summary>{call}</summary>
        <Source frame={frame} />
      </details>
    </li>
  )
}

function Source({ frame: { line: number, context } }: { readonly frame: Frame }) {
  if (context === null) return null
  const { before, line, after } = context
  const lines = [...before, line, ...after]
  const first = number === null ? null : number - before.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also with the keyboard
    <pre className={classes['source']} tabIndex={0} dir="ltr">
      {lines.map((text, index) => {
        const isCall = index === before.length
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <span key={index} className={isCall ? classes['call'] : undefined}>
            {first !== null && <span className={classes['number']}>{first + index}</span>}
            {isCall ? <mark>{text}</mark> : text}
            {'\n'}
          </span>
        )
      })}
    </pre>
  )
}
