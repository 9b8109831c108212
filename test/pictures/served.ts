// A server of its own process, as `harvestman serve` starts it, and a browser to look at its page with.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort } from '@harvestman/testing'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const timeout = 300_000

/** A running server. */
export interface Served extends AsyncDisposable {
  readonly url: string
  ask<T>(path: string, body?: object): Promise<T>
}

/** Starts a server on a free port of the loopback, without keys. */
export async function startServer(environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-page-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      ...process.env,
      PORT: String(port),
      HARVESTMAN_STORE: `sqlite:${join(folder, 'harvestman.sqlite')}`,
      HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (piece: Buffer) => (told = `${told}${piece.toString()}`.slice(-10_000)))
  const ended = once(child, 'exit')
  const until = performance.now() + timeout
  while (!told.includes('listens on')) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`The server did not start:\n${told}`)
    await setTimeout(50)
  }
  return {
    url,
    ask: async <T>(path: string, body?: object) => {
      const answer = await fetch(`${url}${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      return (await answer.json()) as T
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
