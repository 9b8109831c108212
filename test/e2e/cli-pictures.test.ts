// Pictures at the command line: the file is the picture, not a text about it.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startSite } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { findBrowser } from '../../packages/puppeteer/src/find.ts'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const run = promisify(execFile)

test('-f screenshot -o shot.png writes the picture, with the flags of every day', async ({ skip }) => {
  if (!findBrowser()) skip('it takes a picture, and there is no Chromium: apt-get install chromium-headless-shell')
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-picture-'))
  const site = await startSite()
  const file = join(folder, 'shot.png')
  const own = ['--allow-private', `127.0.0.1/32:${new URL(site.url).port}`, '--mobile', '--wait', '50']
  const args = [main, 'scrape', '-f', 'screenshot', '-o', file, `${site.url}/good/article`, ...own]
  const { stdout } = await run(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: folder } })
  const bytes = readFileSync(file)
  expect(stdout).toBe('')
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  // A phone draws more pixels than it says it has.
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(412)
  await site.close()
  rmSync(folder, { recursive: true })
}, 60_000)
