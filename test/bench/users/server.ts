// A server as users start it, measured by the requests that it gets.
import { setTimeout } from 'node:timers/promises'

import { start, usagesOf, type Program, type Usage } from './measure.ts'

export interface MeasuredServer {
  post(path: string, body: object): Promise<unknown>
  get(path: string): Promise<unknown>
  usage(): Promise<Usage>
  close(): Promise<void>
  /** Ends the process without finishing its jobs. */
  kill(): Promise<void>
}

const listening = /listens on (http:\S+)/

/** Milliseconds between two checks, and the CPU time of an idle server in between. */
const idle = { interval: 500, cpu: 15, checks: 40 }

/** Starts `harvestman serve`, and resolves when it listens and is idle. */
export async function startServer(program: Program): Promise<MeasuredServer> {
  const child = start(program)
  const usages = usagesOf(child)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-2_000)
      const [, found] = listening.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('close', (code) => reject(new Error(`The server exited with ${code}.\n${text}`)))
  })
  const usage = async (): Promise<Usage> => {
    child.kill('SIGUSR2')
    return (await usages.next()).value as Usage
  }
  await untilIdle(usage)
  const send = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(new URL(path, url), init)
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await new Promise((resolve) => child.once('close', resolve))
  }
  const headers = { 'content-type': 'application/json' }
  return {
    post: (path, body) => send(path, { method: 'POST', headers, body: JSON.stringify(body) }),
    get: (path) => send(path),
    usage,
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

async function untilIdle(usage: MeasuredServer['usage']): Promise<void> {
  let { cpu: before } = await usage()
  for (let check = 0; check < idle.checks; check += 1) {
    await setTimeout(idle.interval)
    const { cpu } = await usage()
    if (cpu - before < idle.cpu) return
    before = cpu
  }
  throw new Error(`The server was not idle after ${(idle.checks * idle.interval) / 1_000} s.`)
}
