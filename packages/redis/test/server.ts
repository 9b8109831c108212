import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { freePort } from '@harvestman/testing'

/** A Redis of its own on a free port of this machine, with its data in a folder that goes with it, for tests with the tag `redis`. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  readonly pid: () => number
  /** Starts it again on what it had written. */
  start(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  signal(signal: NodeJS.Signals): void
  remove(): Promise<void>
}

export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? 0,
    async start() {
      if (isRunning(child)) return
      const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--daemonize', 'no']
      child = spawn('redis-server', [...own, ...settings], { stdio: ['ignore', 'pipe', 'ignore'] })
      await answering(port, child)
    },
    async kill(signal = 'SIGKILL') {
      const gone = child
      child = undefined
      if (!isRunning(gone)) return
      // One that was stopped is killed as it is, with what it was asked meanwhile.
      if (signal !== 'SIGKILL') gone.kill('SIGCONT')
      gone.kill(signal)
      await once(gone, 'exit')
    },
    signal: (signal) => void child?.kill(signal),
    async remove() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  let told = ''
  child.stdout?.on('data', (text: Buffer) => (told = `${told}${text.toString()}`.slice(-2_000)))
  for (let tries = 0; tries < 2_400 && isRunning(child); tries += 1) {
    // One that wants a password answers, too.
    if (/^(\+PONG|-NOAUTH)/.test(await ask(port))) return
    await setTimeout(25)
  }
  throw new Error(`The Redis did not start:\n${told}`)
}

function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'))
    socket.on('data', (text) => {
      resolve(String(text))
      socket.destroy()
    })
    socket.on('error', () => resolve(''))
  })
}
