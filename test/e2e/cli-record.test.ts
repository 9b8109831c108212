// Runs that are recorded by command, and run again by command when their site is gone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSite } from '@harvestman/testing'
import { afterAll, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'
import { exitCodes } from '../../packages/cli/src/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-record-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function harvestman(...args: readonly string[]) {
  const said = { out: '', err: '' }
  const code = await run(args, {
    env: { HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' },
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: false,
    paint: { out: plain, err: plain },
    isInteractive: false,
    columns: () => 80,
    stdin: () => new Uint8Array(),
    lines: async function* () {},
  })
  return { code, ...said }
}

test('a scrape and a crawl that were recorded print the same again, and other pages are named as missing', async () => {
  const [page, crawl] = [join(folder, 'page.warc.gz'), join(folder, 'crawl.warc.gz')]
  const site = await startSite({ pages: 10 })
  const crawling = ['crawl', `${site.url}/crawl/`, '--limit', '5', '--store', 'memory:', '--json', '-c', '1']
  const first = await harvestman(
    'scrape',
    `${site.url}/good/article`,
    '-H',
    'Authorization: Bearer K-1234',
    '--record',
    page,
  )
  const all = await harvestman(...crawling, '--record', crawl)
  await site.close()
  expect(first).toMatchObject({ code: exitCodes.done, err: '' })
  expect(readFileSync(page.replace('.warc.gz', '.jsonl'), 'utf8')).not.toContain('K-1234')
  expect(await harvestman('replay', page)).toEqual(first)
  expect(all.out.trim().split('\n')).toHaveLength(5)
  expect((await harvestman('replay', crawl)).out).toBe(all.out)
  const other = await harvestman('replay', page, '--', 'scrape', `${site.url}/good/terms`)
  expect(other.code).not.toBe(exitCodes.done)
  expect(other.err).toContain(`Not in the record: GET ${site.url}/good/terms`)
})

test('a record that does not exist is named', async () => {
  const missing = await harvestman('replay', join(folder, 'nothing.warc.gz'))
  expect(missing).toMatchObject({
    code: exitCodes.usage,
    err: expect.stringContaining('does not exist'),
  })
})
