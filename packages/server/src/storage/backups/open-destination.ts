import type { FolderOrBucket } from '../../s3-url.ts'
import type { Destination } from './destination.ts'

export async function openDestination(place: FolderOrBucket): Promise<Destination> {
  // Loaded only if it is used.
  if (place.kind === 'bucket')
    return (await import('./bucket-destination.ts')).createBucketDestination(place.bucket)
  return (await import('./folder-destination.ts')).createFolderDestination(place.path)
}
