/** Returns the error, if there was one. `node` is the Node to build with; `say` gets one line of progress. */
export function buildDashboard(node: string, say: (text: string) => void): string | undefined
