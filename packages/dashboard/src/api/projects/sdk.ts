import { queryOptions } from '@tanstack/react-query'

/** What is at `/sdk/manifest.json`. */
export interface SdkManifest {
  readonly build: string
  /** By file. */
  readonly integrity: Readonly<Record<string, string>>
}

/** The build of the SDK that the server serves. */
export const sdkQuery = queryOptions({
  queryKey: ['sdk'],
  queryFn: async ({ signal }): Promise<SdkManifest> => {
    const response = await fetch('/sdk/manifest.json', { signal })
    if (!response.ok) throw new Error(`the list of the SDK's files has status ${response.status}`)
    return (await response.json()) as SdkManifest
  },
  staleTime: 60_000,
})
