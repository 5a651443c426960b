import { MAX_ATTACHMENTS } from '@bugle/contract'
import { ActionIcon } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatBytes } from '../ui/bytes.ts'
import { Icon } from '../ui/icons/icons.tsx'
import classes from './chosen-files.module.css'
import type { ChosenFile } from './prepared-files.ts'

/** A file that a comment or an issue will have: a chosen one, or one that it has already. */
export interface FileToKeep {
  readonly key: string
  readonly name: string
  readonly size: number
  /** Absent for a file that was sent already. */
  readonly file?: File
  readonly onRemove: () => void
}

/** A chosen file that can be removed again. */
export function removable(chosen: ChosenFile, onRemove: () => void): FileToKeep {
  const { id, file } = chosen
  return { key: String(id), name: file.name, size: file.size, file, onRemove }
}

interface ChosenFilesProps {
  readonly files: readonly FileToKeep[]
  readonly isPending: boolean
}

/** The files of what is being written, each with a button that removes it. */
export function ChosenFiles({ files, isPending }: ChosenFilesProps) {
  const listRef = useRef<HTMLUListElement>(null)

  function remove({ onRemove }: FileToKeep, index: number): void {
    onRemove()
    // The button that had the focus disappears.
    const buttons = listRef.current?.querySelectorAll('button') ?? []
    const next = buttons[index + 1] ?? buttons[index - 1]
    const field = listRef.current?.closest('form')?.querySelector('textarea')
    ;(next ?? field)?.focus()
  }

  if (files.length === 0) return null
  return (
    <>
      <ul ref={listRef} className={classes['files']} aria-label="Files to attach">
        {files.map((file, index) => (
          <li key={file.key} className={classes['file']}>
            {file.file?.type.startsWith('image/') ? (
              <Thumbnail file={file.file} />
            ) : (
              <Icon name="file" size={14} />
            )}
            <bdi className={classes['name']} title={file.name}>
              {file.name}
            </bdi>
            <span className={classes['size']}>{formatBytes(file.size)}</span>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              disabled={isPending}
              title="Remove"
              aria-label={`Remove ${file.name}`}
              onClick={() => remove(file, index)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {files.length > MAX_ATTACHMENTS && (
        <p role="alert" className={classes['error']}>
          You can attach at most {MAX_ATTACHMENTS} files.
        </p>
      )}
    </>
  )
}

const WIDTH = 40
const HEIGHT = 30

/** Drawn on a canvas, because the page may show images only from its own server. */
function Thumbnail({ file }: { readonly file: File }) {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    createImageBitmap(file).then(
      (image) => {
        const scale = Math.max(WIDTH / image.width, HEIGHT / image.height)
        const [width, height] = [image.width * scale, image.height * scale]
        const context = isGone ? null : canvasRef.current?.getContext('2d')
        context?.drawImage(image, (WIDTH - width) / 2, 0, width, height)
        image.close()
      },
      // The browser cannot show it; its name is enough.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [file])
  return <canvas ref={canvasRef} width={WIDTH} height={HEIGHT} className={classes['thumbnail']} aria-hidden />
}
