import { expect, it } from 'vitest'
import { openPostgresTables } from '../../../test-support/tables-stage.ts'
import { CHANGEABLE, FIXED, ON_REPORTS } from '../issues/issue-fields.ts'
import { describeTables } from '../suites/tables.contract.ts'

describeTables('postgres', openPostgresTables)

it('issues and reports have the column types that their fields declare', async () => {
  await using stage = await openPostgresTables()
  const rows = await stage.query(
    `SELECT table_name AS "table", column_name || ' ' || data_type AS definition FROM information_schema.columns`,
  )
  const stored = rows as readonly { readonly table: string; readonly definition: string }[]
  const definitionsOf = (name: string) =>
    stored.filter(({ table }) => table === name).map(({ definition }) => definition)
  expect(definitionsOf('issues')).toEqual(
    expect.arrayContaining([...CHANGEABLE.definitions, ...FIXED.definitions]),
  )
  expect(definitionsOf('reports')).toEqual(expect.arrayContaining([...ON_REPORTS.definitions]))
})
