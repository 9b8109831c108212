// @module-tag long
// A process that writes rows is killed, with no time to clean up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { afterAll, expect, test } from 'vitest'

import { data } from '../src/index.ts'

const child = fileURLToPath(new URL('./writer.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-datasets-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a writer that is killed leaves whole rows, which are counted and completed by the next one', async () => {
  const store = join(folder, 'store.sqlite')
  const rows = 20_000
  for (const lines of [1, 2, 3]) {
    const writer = spawn(process.execPath, [child, store, String(rows), '1000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = 0
    createInterface({ input: writer.stdout }).on('line', () => (said += 1) === lines && writer.kill('SIGKILL'))
    await once(writer, 'exit')
  }
  await using engine = createEngine({ store: sqliteStore(store), plugins: [data()] })
  const { datasets } = engine
  let whole = 0
  for (let after: string | undefined, more = true; more;) {
    const page = await datasets.rows('products', { limit: 1_000, after })
    for (const { values } of page.data) if (values['url'] && values['rank'] !== undefined) whole += 1
    after = page.next
    more = after !== undefined
  }
  expect(whole).toBeGreaterThan(3_000)
  expect((await datasets.get('products')).rows).toBe(whole)
  const last = spawn(process.execPath, [child, store, String(rows), '1000'], { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(last, 'exit')
  expect((await datasets.get('products')).rows).toBe(rows)
  const sql = 'SELECT count(DISTINCT rank), sum(rank) FROM rows'
  const { rows: answer } = await datasets.query('products', { sql, timeout: 120_000 })
  expect(answer).toEqual([[rows, (rows * (rows - 1)) / 2]])
})
