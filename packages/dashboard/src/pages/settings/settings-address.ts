/** The address of a page of the settings, for links and navigation. */
export function settingsAddress(page: string) {
  return { to: '/settings/$', params: { _splat: page } } as const
}
