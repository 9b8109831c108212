import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { unpack } from '../packages/puppeteer/src/chromium/unpack.ts'
import { findBrowser } from '../packages/puppeteer/src/find.ts'
import { madeOnce } from './made-once.ts'

/** The path of a browser that starts as it is. One that an npm package brings needs to be unpacked, and told of its libraries. */
export async function plainBrowser(): Promise<string> {
  const found = findBrowser()
  if (found === undefined) throw new Error('A test that starts a browser has the tag "browser".')
  const { executable, packedIn, env = {} } = found
  if (packedIn === undefined) return executable
  const name = 'chromium-headless-shell'
  const folder = await madeOnce('plain-browser', async (made) => {
    await unpack({ executable, packedIn }, AbortSignal.timeout(120_000))
    const settings = Object.entries(env).map(([key, value]) => `${key}='${value}'`)
    writeFileSync(join(made, name), `#!/bin/sh\nexec env ${settings.join(' ')} '${executable}' "$@"\n`, { mode: 0o755 })
  })
  return join(folder, name)
}
