/** The path of an endpoint as the framework writes it: `/v1/issues/:id`. */
export function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
