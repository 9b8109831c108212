import { setTimeout as sleep } from 'node:timers/promises'

import { beforeEach, expect, test } from 'vitest'

import { readConfig } from './config.ts'
import { openServer, openWorker } from './serving.ts'

beforeEach(({ skip }) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    skip('only root on Linux starts a browser as another user, and this is not root')
})

/** What is said at the start, where the browser is this program. */
async function saidBy(open: typeof openServer | typeof openWorker, program: string): Promise<string> {
  const said: string[] = []
  const env = { HARVESTMAN_PORT: '0', HARVESTMAN_STORE: 'memory:', HARVESTMAN_BROWSER: program }
  const server = await open(readConfig({ env }).config, { write: (line) => said.push(line) })
  try {
    // Nothing waits for it: a start is not held up by a warning.
    for (let tries = 0; tries < 100 && said.length === 0; tries += 1) await sleep(50)
    return said.join('')
  } finally {
    await server.close()
  }
}

test.each([
  ['serve', openServer],
  ['work', openWorker],
] as const)('%s says at its start that the browser would run as root, and what to do about it', async (_, open) => {
  // Nobody else may look into that folder.
  expect(await saidBy(open, '/root/nothing/chromium')).toMatch(
    /^Chromium runs as root and without its sandbox: .*Let all users read its program.*\n$/,
  )
})
