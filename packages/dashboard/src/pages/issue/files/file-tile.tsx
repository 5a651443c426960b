import type { Attachment } from '@bugle/contract'
import { attachmentAddress } from '../../../api/issues/attachments.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { absenceOf, isDownloadable } from './file-states.ts'
import classes from './files.module.css'

interface FileTileProps {
  readonly file: Attachment
  /** Absent for files that are not shown in the browser. */
  readonly onView: ((file: Attachment) => void) | undefined
}

/** One file: a preview that opens the viewer, or a link that downloads it. */
export function FileTile({ file, onView }: FileTileProps) {
  const { id, name, size, state, reportNumber } = file
  const words = (
    <span className={classes['words']}>
      <span className={classes['name']} title={name}>
        <bdi>{name}</bdi>
      </span>
      <span className={classes['about']}>
        {state === 'received' ? formatBytes(size) : absenceOf(file)} · Report {reportNumber}
      </span>
    </span>
  )
  return (
    <li>
      {onView !== undefined ? (
        <button type="button" className={classes['tile']} onClick={() => onView(file)}>
          <Preview file={file} />
          {words}
        </button>
      ) : isDownloadable(state) ? (
        <a className={classes['tile']} href={attachmentAddress(id)} download={name}>
          <Placeholder />
          {words}
        </a>
      ) : (
        <div className={classes['tile']}>
          <Placeholder />
          {words}
        </div>
      )}
    </li>
  )
}

function Preview({ file: { id, contentType } }: { readonly file: Attachment }) {
  if (!contentType?.startsWith('image/')) return <Placeholder isVideo />
  return (
    <span className={classes['preview']}>
      <img src={attachmentAddress(id)} alt="" loading="lazy" decoding="async" />
    </span>
  )
}

function Placeholder({ isVideo = false }: { readonly isVideo?: boolean }) {
  return (
    <span className={classes['preview']}>
      <Icon name={isVideo ? 'play' : 'file'} size={24} />
    </span>
  )
}
