/** Makes autovacuum run on these tables when this many rows plus this share of all rows are dead or new. */
export function vacuumAfter(
  tables: readonly string[],
  { rows, share }: { readonly rows: number; readonly share: number },
): string {
  const options = ['vacuum', 'vacuum_insert', 'analyze'].flatMap((kind) => [
    `autovacuum_${kind}_threshold = ${rows}`,
    `autovacuum_${kind}_scale_factor = ${share}`,
  ])
  return tables.map((table) => `ALTER TABLE ${table} SET (${options.join(', ')});`).join('\n  ')
}
