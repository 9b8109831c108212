// @module-tag browser
// What a site sees of the loaders, over TLS, HTTP and in scripts, compared with the Chromium that is installed.
import { findBrowser } from '@harvestman/puppeteer'
import { beforeAll, describe, expect, test } from 'vitest'

import {
  clients,
  differences,
  explained,
  readTable,
  shared,
  whyDifferent,
  type Client,
  type Signals,
} from '../bench/identity/table.ts'

const own = (Object.keys(clients) as Client[]).filter((name) => clients[name].like !== undefined)
const areBothInstalled = (['shell', 'full'] as const).every((prefer) => findBrowser({ prefer })?.kind === prefer)

describe.skipIf(!areBothInstalled)('a site sees', () => {
  let table: Readonly<Record<Client, Signals>>
  beforeAll(async () => {
    table = await readTable()
  })

  test.each(own)('the %s as the installed browser, except for explained differences', (client) => {
    const found = differences(table, client)
    expect(found.filter((signal) => whyDifferent(signal, client) === undefined)).toEqual([])
  })

  test('no difference that is explained but gone', () => {
    const gone = explained.flatMap(({ signals, clients: where }) =>
      where.flatMap((client) => {
        const found = differences(table, client)
        return signals.filter((signal) => !found.includes(signal)).map((signal) => `${signal}, ${client}`)
      }),
    )
    expect(gone).toEqual([])
  })

  test('one identity, whichever loader requests the page', () => {
    for (const signal of shared) {
      const readers = own.filter((client) => table[client][signal] !== undefined)
      // The time zone of a worker is that of the location, which an empty session lacks.
      const compared = signal === 'worker' ? readers.filter((client) => client !== 'empty live session') : readers
      const values = new Set(compared.map((client) => table[client][signal]))
      expect([signal, ...values]).toHaveLength(2)
    }
  })

  test('a window that fits on its screen', () => {
    for (const client of own) expect([client, table[client]['fitsScreen'] ?? 'true']).toEqual([client, 'true'])
  })
})
