import type { Project } from '@bugle/contract'

const STORED_UNDER = 'bugle-project'

/** The most recent project, if it is still visible; otherwise the first. */
export function lastProject(projects: readonly Project[]): Project | undefined {
  const slug = localStorage.getItem(STORED_UNDER)
  return projects.find((project) => project.slug === slug) ?? projects[0]
}

export function rememberProject({ slug }: Project): void {
  localStorage.setItem(STORED_UNDER, slug)
}
