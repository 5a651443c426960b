/** Returns what went wrong, if anything did. `node` is the Node to build with; `say` gets the one line of progress. */
export function buildDashboard(node: string, say: (text: string) => void): string | undefined
