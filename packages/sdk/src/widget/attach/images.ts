/** Larger images are scaled down: this is more than the largest common screens have. */
const MAX_PIXELS = 16_000_000
/** A larger PNG is sent as WebP, which is much smaller for photos and almost as sharp. */
const MAX_PNG_BYTES = 3_000_000
const QUALITY = 0.92
/** JPEG, PNG, GIF, TIFF, WebP, and the family of HEIC and AVIF. */
const IMAGE_START = /^(\xff\xd8\xff|\x89PNG|GIF8|II\*\0|MM\0\*|RIFF....WEBP|....ftyp(hei|hev|mif|msf|avi))/s

/** Whether a file is an image made of pixels, by its first bytes or its type. */
export async function isImage(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  return (
    IMAGE_START.test(String.fromCharCode(...start)) || (/^image\//.test(file.type) && !/svg/.test(file.type))
  )
}

/** The pixels of an image, upright, and not too many of them. */
export async function decode(image: ImageBitmapSource): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(image)
  const { width, height } = bitmap
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  contextOf(canvas).drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas
}

/** A file with these pixels and nothing else: no location, camera or other data of the file that they come from. */
export async function encode(canvas: HTMLCanvasElement, name: string, type: string): Promise<File> {
  // A browser that cannot write WebP writes PNG.
  const wanted = /jpe?g|hei/.test(type) ? 'image/jpeg' : /webp|avif/.test(type) ? 'image/webp' : 'image/png'
  let blob = await toBlob(canvas, wanted)
  if (blob.type === 'image/png' && blob.size > MAX_PNG_BYTES) {
    const smaller = await toBlob(canvas, 'image/webp')
    if (smaller.size < blob.size) blob = smaller
  }
  const ending = blob.type.slice('image/'.length).replace('jpeg', 'jpg')
  return new File([blob], `${name.replace(/\.\w*$/, '')}.${ending}`, { type: blob.type })
}

export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw Error('no canvas')
  return context
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(Error('not encoded'))), type, QUALITY)
  })
}
