import { attachmentAddress } from '../../../api/issues/attachments.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { absenceOf, isDownloadable } from './file-states.ts'
import classes from './file-strip.module.css'
import type { ShownFile } from './shown-file.ts'
import { isViewable } from './use-file-viewer.tsx'

interface FileStripProps {
  readonly files: readonly ShownFile[]
  readonly label: string
  readonly onView: (file: ShownFile) => void
}

/** The files of one report or comment in a row: small previews, and the names of what cannot be shown. */
export function FileStrip({ files, label, onView }: FileStripProps) {
  if (files.length === 0) return null
  return (
    <ul className={classes['strip']} aria-label={label}>
      {files.map((file) => (
        <li key={file.id}>
          <FileMark file={file} onView={onView} />
        </li>
      ))}
    </ul>
  )
}

function FileMark({
  file,
  onView,
}: {
  readonly file: ShownFile
  readonly onView: (file: ShownFile) => void
}) {
  const { id, name, size, state, contentType } = file
  if (isViewable(file)) {
    const isImage = contentType?.startsWith('image/') === true
    return (
      <button
        type="button"
        className={classes['preview']}
        aria-label={`View ${name}`}
        title={name}
        onClick={() => onView(file)}
      >
        {isImage ? (
          <img src={attachmentAddress(id)} alt="" loading="lazy" decoding="async" />
        ) : (
          <Icon name="play" size={20} />
        )}
      </button>
    )
  }
  const words = (
    <>
      <Icon name="file" size={14} />
      <bdi className={classes['name']}>{name}</bdi>
      <span className={classes['about']}>{state === 'received' ? formatBytes(size) : absenceOf(file)}</span>
    </>
  )
  if (!isDownloadable(state)) return <span className={classes['file']}>{words}</span>
  return (
    <a className={classes['file']} href={attachmentAddress(id)} download={name}>
      {words}
    </a>
  )
}
