// Pictures at the command line: the file is the picture, not a text about it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSite } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { bareEnv, startCommand } from './command.ts'

test('-f screenshot -o shot.png writes the picture, with the flags of every day', { tags: ['browser'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-picture-'))
  const site = await startSite()
  const file = join(folder, 'shot.png')
  const own = ['--allow-private', `127.0.0.1/32:${new URL(site.url).port}`, '--mobile', '--wait', '50']
  const args = ['scrape', '-f', 'screenshot', '-o', file, `${site.url}/good/article`, ...own]
  const { out } = await startCommand(args, { env: bareEnv(folder) }).ended
  const bytes = readFileSync(file)
  expect(out).toBe('')
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  // A phone draws more pixels than it says it has.
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(412)
  await site.close()
  rmSync(folder, { recursive: true })
})
